import { printableJson } from '../../../base/printable.ts'
import { randomUUID } from 'node:crypto'
import {
  acknowledge,
  type DueAlert,
  dueText,
  type ReceivedNotice,
  takeNotice,
  type OpenAlert,
  takeDue,
} from '../../../core/alerts/alert-book.ts'
import { POSITION_NOTICES } from '../../../core/alerts/position-notices.ts'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { KeptAlerts } from './kept-alerts.ts'
import type { GuardNotice, LogLine, NoticeKind, OutgoingNotice } from './notice.ts'
import type { Outbox } from './outbox.ts'

/** How notifications of a position are sent. */
export type ReportedPosition = {
  readonly name: string
  readonly configFile: string
  /** Whether `notify` names a channel. */
  readonly hasNotify: boolean
  /** When an unacknowledged critical alert is repeated, and when it reaches each escalation step. */
  readonly alert: { readonly repeatMs: Ms | null; readonly escalateAfterMs: readonly Ms[] }
}

/** The guard's log and notifications. Every notification is also logged. */
export type Report = {
  readonly log: LogLine
  /** Raises an alert. A critical alert is repeated and escalated until it ends or someone acknowledges it. */
  readonly notify: (code: GuardNotice, position: ReportedPosition, message: string) => void
  /** Ends an alert and notifies everyone who was notified of it. */
  readonly lift: (code: GuardNotice, position: ReportedPosition, message: string) => void
  /** Ends several alerts with one notice, which reaches everyone who was notified of any of them. */
  readonly resolve: (
    code: GuardNotice,
    ended: readonly GuardNotice[],
    position: ReportedPosition,
    message: string,
  ) => void
  /** Whether the alert is open, acknowledged or not. Only critical alerts are tracked. */
  readonly isOpen: (position: string, code: GuardNotice) => boolean
}

/** The alerts of one position that this call acknowledged, and all of its open alerts. */
type Acknowledged = {
  readonly name: string
  readonly acknowledged: readonly string[]
  readonly open: readonly string[]
}

export type GuardReport = Report & {
  readonly open: (position: string) => readonly OpenAlert[]
  /** Acknowledges one code, or all (null), for the named positions, or for all (null). */
  readonly acknowledge: (
    names: readonly string[] | null,
    code: string | null,
    by: { readonly who: string; readonly why: string },
  ) => readonly Acknowledged[]
  /** Called ten times a second. */
  readonly tick: () => void
  /** The number of unsent notices. */
  readonly waiting: () => number
}

type ReportParts = {
  readonly positions: readonly ReportedPosition[]
  readonly log: LogLine
  readonly alerts: KeptAlerts
  readonly outbox: Outbox
  readonly wall: () => Ms
}

const LOOK_EVERY_MS: Ms = SECOND_MS
const LEVELS = { critical: 'error', warning: 'warn', info: 'info' } as const

export function createReport(parts: ReportParts): GuardReport {
  const { positions, log, alerts, outbox, wall } = parts
  const books = createBooks(alerts, wall)
  let lookedAt = Number.NEGATIVE_INFINITY

  function send(position: ReportedPosition, draft: Draft): void {
    if (position.hasNotify) outbox.add(outgoing(position, draft, wall()))
  }

  return {
    log,
    notify(code, position, message) {
      log(LEVELS[POSITION_NOTICES[code].severity], position.name, message)
      books.begin(position, code, message)
      send(position, { kind: 'raised', code, text: message })
    },
    lift(code, position, message) {
      log('info', position.name, message)
      const audience = everybodyUpTo(books.end(position, [code]))
      send(position, { kind: 'lifted', code, text: message, audience })
    },
    resolve(code, ended, position, message) {
      log('info', position.name, message)
      const audience = everybodyUpTo(books.end(position, ended))
      send(position, { kind: 'raised', code, text: message, audience, isEnd: true })
    },
    isOpen: (name, code) => alerts.of(name).alerts.some((alert) => alert.code === code),
    open: (name) => alerts.of(name).alerts,
    acknowledge(names, code, by) {
      const chosen = positions.filter(({ name }) => names === null || names.includes(name))
      const done = chosen.map((position) => takeInHand(parts, position, code, by, send))
      alerts.save()
      return done
    },
    tick() {
      const now = wall()
      // Also run when the clock was set back, so that a clock change cannot silence an alert.
      if (now < lookedAt || now - lookedAt >= LOOK_EVERY_MS) {
        lookedAt = now
        for (const position of positions) for (const draft of books.due(position)) send(position, draft)
      }
      books.save()
      outbox.tick()
    },
    waiting: outbox.waiting,
  }
}

/** The alert books of all positions; saved when they change. */
function createBooks(alerts: KeptAlerts, wall: () => Ms) {
  let hasChanged = false

  function note(position: ReportedPosition, notice: Omit<ReceivedNotice, 't' | 'since'>): OpenAlert | null {
    const { changed, ended } = takeNotice(alerts.of(position.name), { ...notice, t: wall(), since: null })
    hasChanged ||= changed
    return ended
  }

  return {
    begin(position: ReportedPosition, code: GuardNotice, text: string): void {
      note(position, { kind: 'raised', severity: POSITION_NOTICES[code].severity, code, text })
    },
    /** Ends alerts and returns the highest escalation step that was notified of any of them. */
    end(position: ReportedPosition, codes: readonly GuardNotice[]): number {
      const ended = codes.map((code) => note(position, { kind: 'lifted', severity: 'info', code, text: '' }))
      return Math.max(0, ...ended.map((alert) => alert?.escalated ?? 0))
    },
    due({ name, alert: rules }: ReportedPosition): readonly Draft[] {
      const now = wall()
      const due = takeDue(alerts.of(name), rules, now)
      hasChanged ||= due.length > 0
      return due.map((one) => dueDraft(one, now))
    },
    save(): void {
      if (hasChanged) alerts.save()
      hasChanged = false
    },
  }
}

function dueDraft(due: DueAlert, now: Ms): Draft {
  const { code, escalated, since, raisedAt } = due.alert
  return {
    kind: due.kind === 'repeat' ? 'reminder' : 'raised',
    code: code as GuardNotice,
    text: dueText(due, now),
    audience: due.kind === 'repeat' ? everybodyUpTo(escalated) : [due.step + 1],
    since: since ?? raisedAt,
  }
}

function takeInHand(
  { alerts, log, wall }: ReportParts,
  position: ReportedPosition,
  code: string | null,
  by: { readonly who: string; readonly why: string },
  send: (position: ReportedPosition, draft: Draft) => void,
): Acknowledged {
  const book = alerts.of(position.name)
  const open = book.alerts.map((alert) => alert.code)
  const taken = acknowledge(book, code === null ? open : [code], { ...by, at: wall() })
  for (const alert of taken) {
    const text = `acknowledged by ${by.who} (${by.why}): ${alert.text}`
    log('info', position.name, `${alert.code}: ${text}`)
    const audience = everybodyUpTo(alert.escalated)
    send(position, { kind: 'acknowledged', code: alert.code as GuardNotice, text, audience })
  }
  return { name: position.name, acknowledged: taken.map((alert) => alert.code), open }
}

type Draft = {
  readonly kind: NoticeKind
  readonly code: GuardNotice
  readonly text: string
  readonly audience?: readonly number[]
  readonly isEnd?: boolean
  readonly since?: Ms
}

function outgoing(
  { name, configFile }: ReportedPosition,
  { kind, code, text, audience = [0], isEnd = false, since }: Draft,
  now: Ms,
): OutgoingNotice {
  const entry = { t: now, text }
  const what = { id: randomUUID(), position: name, configFile, kind, code, count: 1 }
  return { ...what, first: entry, last: entry, since: since ?? null, audience, isEnd, only: null }
}

/** The first audience and the given number of escalation steps. */
function everybodyUpTo(steps: number): readonly number[] {
  return Array.from({ length: steps + 1 }, (_, index) => index)
}

/** Writes JSON lines to standard output. */
export const logToOutput: LogLine = (level, position, message) => {
  const time = new Date().toISOString()
  process.stdout.write(
    `${printableJson(JSON.stringify({ level, time, ...(position === null ? {} : { position }), msg: message }))}\n`,
  )
}
