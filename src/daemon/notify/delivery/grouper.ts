import type { Ms } from '../../../base/time.ts'
import type { TimedText } from '../message/message.ts'
import { type Notice } from '../notice.ts'
import { SEVERITY_RANK } from '../../../core/alerts/entry.ts'

/** Notices of one code and kind, received within one window. */
export type Group = Pick<Notice, 'kind' | 'severity' | 'code' | 'since' | 'rule' | 'also'> & {
  readonly count: number
  readonly first: TimedText
  readonly last: TimedText
}

/** Groups many notices into one message. Pure: the time is an argument, and nothing is sent. */
type Grouper = {
  /** Returns the groups to send immediately, in order: an urgent group after waiting ones of the same code. Other notices wait. */
  readonly add: (notice: Notice, isUrgent: boolean, now: Ms) => readonly Group[]
  /** Returns the groups that are due, in the order of their last notice. */
  readonly due: (now: Ms) => readonly Group[]
  /** Returns all waiting groups, regardless of the time. */
  readonly flush: () => readonly Group[]
  /** When to call `due` next; infinite = after the next notice. */
  readonly nextAt: () => Ms
  readonly size: () => number
}

type Window = {
  endsAt: Ms
  lengthMs: Ms
  waiting: Group | null
  liftedAt: Ms | null
  /** The consequences that were sent within it. */
  readonly told: Set<string>
  /** Number of the last received notice. */
  lastNumber: number
}
type Windows = ReadonlyMap<string, Window>

/** A lasting storm is reported less and less often, but at least at this interval. */
const LONGEST_WINDOW_MS = 3_600_000
/** Codes come from a fixed list; this only limits the damage of a mistake. */
const MOST_WINDOWS = 300

/**
 * Groups notices by time windows. An urgent notice is sent at once and opens a window; what follows within it becomes
 * one message at its end. Other notices wait for the window first, and become information if they end before. During a
 * storm each window is twice as long as the previous one. A code's beginnings and ends have separate windows; sending
 * one also sends what waits in the other, so that the last message is the current state.
 */
export function createGrouper(windowMs: Ms): Grouper {
  const windows = new Map<string, Window>()
  let lastNumber = 0

  function add(notice: Notice, isUrgent: boolean, now: Ms): readonly Group[] {
    lastNumber += 1
    // Recipients of the beginning also receive the end, even if it had begun again without a message.
    if (notice.kind === 'lifted' && endWaiting(windows, notice) && !isUrgent) return []
    const key = keyOf(windows, notice)
    const open = windows.get(key)
    if (open !== undefined) {
      open.waiting = joined(open.waiting, notice)
      open.liftedAt = null
      open.lastNumber = lastNumber
      // A new consequence does not wait for its cause's window.
      const news = (notice.also ?? []).filter(({ code }) => !open.told.has(code))
      if (!isUrgent || news.length === 0) return []
      for (const { code } of news) open.told.add(code)
      const group = open.waiting
      open.waiting = null
      return [group]
    }
    const group = joined(null, notice)
    const before = isUrgent ? taken(windows, now, ({ code }) => code === notice.code) : []
    windows.set(key, {
      endsAt: now + windowMs,
      lengthMs: windowMs,
      waiting: isUrgent ? null : group,
      liftedAt: null,
      told: new Set(notice.also?.map(({ code }) => code)),
      lastNumber,
    })
    return isUrgent ? [...before, group] : []
  }

  function due(now: Ms): readonly Group[] {
    const codes = new Set<string>()
    for (const [key, window] of windows) {
      // A clock that was set back must not keep a window open indefinitely.
      if (window.endsAt > now && window.endsAt - now <= window.lengthMs) continue
      if (window.waiting === null) windows.delete(key)
      else codes.add(window.waiting.code)
    }
    return taken(windows, now, ({ code }) => codes.has(code))
  }

  return {
    add,
    due,
    flush() {
      const ready = taken(windows, 0, () => true)
      windows.clear()
      return ready
    },
    nextAt: () => Math.min(...[...windows.values()].map(({ endsAt }) => endsAt)),
    size: () => [...windows.values()].filter(({ waiting }) => waiting !== null).length,
  }
}

/** Takes the wanted waiting groups in the order of their last notice; restarts their windows at double length. */
function taken(windows: Windows, now: Ms, isWanted: (waiting: Group) => boolean): readonly Group[] {
  const inOrder = [...windows.values()].toSorted((a, b) => a.lastNumber - b.lastNumber)
  return inOrder.flatMap((window) => {
    const { waiting, liftedAt } = window
    if (waiting === null || !isWanted(waiting)) return []
    window.lengthMs = Math.min(LONGEST_WINDOW_MS, window.lengthMs * 2)
    window.endsAt = now + window.lengthMs
    window.waiting = null
    window.liftedAt = null
    return [told(waiting, liftedAt)]
  })
}

function keyOf(windows: Windows, { kind, code, severity }: Notice): string {
  const key = `${kind} ${severity} ${code}`
  return windows.has(key) || windows.size < MOST_WINDOWS ? key : `${kind} ${severity} other`
}

/** Ends a waiting warning. Returns true if there was one; its end then needs no message. */
function endWaiting(windows: Windows, { code, t }: Notice): boolean {
  for (const severity of ['warning', 'info'] as const) {
    const window = windows.get(`raised ${severity} ${code}`)
    if (window === undefined || window.waiting === null) continue
    window.liftedAt = t
    return true
  }
  return false
}

/** A consequence does not count as another occurrence of its cause. */
export function joined(group: Group | null, notice: Notice): Group {
  const { t, text, since, ...what } = notice
  const entry = { t, text }
  if (group === null) return { ...what, since, count: 1, first: entry, last: entry }
  const { severity, also } = what
  if (also !== undefined) {
    const codes = new Set(also.map(({ code }) => code))
    return { ...group, also: [...(group.also ?? []).filter(({ code }) => !codes.has(code)), ...also] }
  }
  const gravest = SEVERITY_RANK[severity] > SEVERITY_RANK[group.severity] ? severity : group.severity
  return { ...group, severity: gravest, since: group.since ?? since, count: group.count + 1, last: entry }
}

/** An alert that started and ended within its window needs no action. */
function told(group: Group, liftedAt: Ms | null): Group {
  if (liftedAt === null) return group
  const { t, text } = group.last
  const seconds = Math.max(1, Math.round((liftedAt - group.first.t) / 1_000))
  return { ...group, severity: 'info', last: { t, text: `${text}; it lifted by itself within ${seconds} s` } }
}
