import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../../../base/time.ts'
import type { LoadedConfig, LoadedNotify } from '../../../config/load/loaded-config.ts'
import type { PositionView } from '../../../view/position-view.ts'
import type { TreasuryReading } from '../../../view/treasury-reading.ts'
import { treasuryDay, type TreasuryDay } from '../../../view/treasury/treasury-day.ts'
import {
  countIncident,
  createDailySummary,
  figuresOf,
  isQuoting,
  summaryFile,
  type DailySummary,
} from '../../../notify/daily-summary/summary.ts'
import type { NotifyFile } from '../../../notify/kept-file.ts'
import { liftedNotice, type Notice, positionNotice, raisedNotice } from '../../../notify/notice.ts'
import { isScorecardDue, scorecardLines, summaryText } from '../../../notify/daily-summary/summary-text.ts'
import { treasuryLines } from '../../../notify/daily-summary/treasury-lines.ts'
import type { Log } from '../../../telemetry/log/log.ts'
import { createNotifyMetrics } from '../../../telemetry/metrics/metrics.ts'
import { type MetricFamily, renderMetrics } from '../../../telemetry/metrics/exposition.ts'
import { UNANSWERED } from '../supervisor.ts'
import type { OpenAlerts } from './open-alerts.ts'
import { openNotifiers, type Notifiers } from './open-notifiers.ts'
import { summaryClock, type SummaryClock } from './summary-clock.ts'
import { runEvery } from '../../../../base/threads/timing.ts'

export type NotifyPositionParts = {
  readonly config: Pick<LoadedConfig, 'core' | 'store' | 'alert' | 'file'>
  readonly notify: LoadedNotify
  readonly version: string
  /** The current view of the position; null = it does not answer. */
  readonly look: () => Promise<PositionView | null>
  /** The current treasury reading; null = no answer; absent = the position has no treasury. */
  readonly treasury?: () => Promise<TreasuryReading | null>
  readonly log: Log
}

/**
 * Sends the notifications of one position from the thread that outlives its worker. Never throws and never delays trading; its own failures
 * are logged and counted.
 */
export type PositionNotifier = {
  readonly notify: (notice: Notice) => void
  /** The position runs. */
  readonly started: () => void
  readonly restarting: (why: string) => void
  /** The position has ended permanently; repeated until someone acknowledges it or `stopped` is called. */
  readonly terminated: (message: string) => void
  /** The daemon shuts down cleanly, or an ended position is removed; resolves when everything was sent or the time is up. */
  readonly stopped: (report: string, withinMs: Ms) => Promise<void>
  /** Critical alerts that are repeated until someone acknowledges them; null = reminders are off. */
  readonly alerts: Pick<OpenAlerts, 'list' | 'acknowledge'> | null
  /** A line for each channel that has accepted no message for an hour. */
  readonly failing: () => readonly string[]
  readonly metrics: () => Promise<readonly MetricFamily[]>
}

type Watch = Notifiers & {
  /** Reads the current view and keeps it for when the position no longer answers. */
  readonly lookOnce: () => Promise<PositionView | null>
  readonly parts: NotifyPositionParts
  readonly clock: SummaryClock | null
  readonly file: NotifyFile<DailySummary>
  readonly metrics: ReturnType<typeof createNotifyMetrics>
  book: DailySummary
  /** When this process last sent a halt notification; null = no halt, or none sent. */
  haltNotifiedAt: Ms | null
  /** When the halt last changed; older views do not show that change. */
  haltChangedAt: Ms
  isLooking: boolean
  writing: Promise<void>
  timers: readonly NodeJS.Timeout[]
  /** Until then the store may belong to another process. */
  isStarted: boolean
  isGone: boolean
}

/** Next to the journal: the counts since the last summary. */
const FILE = 'notified.json'
const LOOK_EVERY_MS = 10 * SECOND_MS
/** A hung position must not delay messages. */
const MOST_SEE_MS = 2 * SECOND_MS
const SAVE_EVERY_MS = 5 * MINUTE_MS
const CRASH_LOOP = { starts: 4, withinMs: 10 * MINUTE_MS }
const MOST_STARTS = 10

export function notifyPosition(parts: NotifyPositionParts): PositionNotifier {
  const watch = openWatch(parts)
  const { notifier, metrics } = watch
  return {
    notify: (notice) => notify(watch, notice),
    started: () => start(watch),
    restarting: (why) => notify(watch, positionNotice('worker-crash', why)),
    terminated(message) {
      watch.isGone = true
      for (const timer of watch.timers) clearInterval(timer)
      notify(watch, positionNotice('daemon-gone', message))
      watch.alerts?.repeat()
      save(watch)
    },
    async stopped(report, withinMs) {
      if (watch.isGone) return end(watch, withinMs)
      watch.book.isRunning = false
      const isUnknown = report === UNANSWERED
      notify(
        watch,
        isUnknown ? positionNotice('exit-unconfirmed', report) : positionNotice('daemon-stop', report),
      )
      await end(watch, withinMs)
    },
    alerts: watch.alerts,
    failing: watch.failing.list,
    async metrics() {
      for (const one of [notifier, ...watch.escalation])
        for (const [channel, count] of Object.entries(one.pending()))
          metrics.notificationsPending.set({ channel }, count)
      return renderMetrics([metrics])
    },
  }
}

function openWatch(parts: NotifyPositionParts): Watch {
  const { config } = parts
  const { summaryAt, timezone } = parts.notify
  const metrics = createNotifyMetrics(config.core.name)
  let before: PositionView | null = null
  const lookOnce = async () => {
    const view = await parts.look().catch(() => null)
    before = view ?? before
    return view
  }
  const see = async () => ({
    now: await Promise.race([lookOnce(), delay(MOST_SEE_MS, null, { ref: false })]),
    before,
  })
  const watch: Watch = {
    parts,
    metrics,
    lookOnce,
    ...openNotifiers({ ...parts, see, tell: (notice) => notify(watch, notice) }, metrics),
    clock: summaryAt === null ? null : summaryClock(summaryAt, timezone),
    file: summaryFile(join(config.store.path, FILE)),
    book: createDailySummary(Date.now()),
    haltNotifiedAt: null,
    haltChangedAt: 0,
    isLooking: false,
    writing: Promise.resolve(),
    timers: [],
    isStarted: false,
    isGone: false,
  }
  return watch
}

function notify(watch: Watch, notice: Notice): void {
  countIncident(watch.book, notice)
  if (notice.code === 'halted') {
    watch.haltChangedAt = notice.t
    const isOver = notice.kind === 'lifted'
    watch.haltNotifiedAt = isOver ? null : Date.now()
    watch.book.halted = isOver ? null : { since: notice.since ?? notice.t, text: notice.text }
    save(watch)
  }
  watch.notifier.tell(notice)
  watch.alerts?.take(notice)
}

function start(watch: Watch): void {
  const { config, version } = watch.parts
  const now = Date.now()
  const book = watch.file.read(now)
  const { incidents } = watch.book
  watch.book = {
    ...book,
    halted: watch.book.halted ?? book.halted,
    incidents: { ...book.incidents, ...incidents },
  }
  const wasLeft = !book.isRunning
  watch.book.starts = [...book.starts.filter((t) => t > now - CRASH_LOOP.withinMs), now].slice(-MOST_STARTS)
  watch.book.isRunning = true
  watch.isStarted = true
  watch.alerts?.start()
  watch.failing.restore(book.failing)
  const { starts } = watch.book
  if (!wasLeft && starts.length >= CRASH_LOOP.starts) {
    const text = `started ${starts.length} times within ten minutes, and the previous process did not shut down cleanly`
    notify(watch, positionNotice('crash-loop', text))
  }
  const before = wasLeft ? '' : '; the previous process did not shut down cleanly'
  notify(watch, positionNotice('daemon-start', `mizani ${version} runs ${config.core.strategy.use}${before}`))
  save(watch)
  watch.timers = [
    runEvery(() => look(watch), LOOK_EVERY_MS).unref(),
    runEvery(() => save(watch), SAVE_EVERY_MS).unref(),
  ]
  void look(watch)
}

/** Checks the view every few seconds: the age of the quote, a halt, the daily summary. */
async function look(watch: Watch): Promise<void> {
  watch.failing.look()
  if (watch.isLooking) return
  watch.isLooking = true
  try {
    const view = await watch.lookOnce()
    if (view !== null) await see(watch, view, Date.now())
  } catch (error) {
    watch.parts.log.warn({ event: 'notification', err: error }, 'the position could not be read')
  } finally {
    watch.isLooking = false
  }
}

async function see(watch: Watch, view: PositionView, now: Ms): Promise<void> {
  const { book, clock } = watch
  const passedMs = Math.min(now - book.lookedAt, 2 * LOOK_EVERY_MS)
  if (passedMs > 0 && isQuoting(view)) book.quotedMs += passedMs
  book.before ??= figuresOf(view)
  seeHalt(watch, view, now)
  const isDue = clock?.(book.lookedAt, now, book.summaryAt) === true
  const day = await lookAtTreasury(watch, isDue)
  if (isDue) sendSummary(watch, view, day, now)
  else watch.book.treasuryCosts ??= day?.costs ?? null
  watch.book.lookedAt = now
}

/** Reads the treasury for the summary, and before the first summary until its costs are known. */
async function lookAtTreasury({ book, parts }: Watch, isDue: boolean): Promise<TreasuryDay | null> {
  const { treasury } = parts
  if (treasury === undefined || (!isDue && book.treasuryCosts !== null)) return null
  const reading = await treasury()
  return reading === null ? null : treasuryDay(reading.state, book.since)
}

function sendSummary(watch: Watch, view: PositionView, day: TreasuryDay | null, now: Ms): void {
  const { book, parts } = watch
  const treasury = parts.treasury === undefined ? [] : treasuryLines(day, book.treasuryCosts)
  const isWeekly = isScorecardDue(view.scorecard, book.scorecardAt, now)
  const week = isWeekly ? scorecardLines(view.scorecard) : []
  const text = summaryText(book, view, parts.notify.timezone, [...treasury, ...week])
  watch.book = {
    ...book,
    since: now,
    before: figuresOf(view) ?? book.before,
    treasuryCosts: day?.costs ?? book.treasuryCosts,
    summaryAt: now,
    scorecardAt: isWeekly ? now : book.scorecardAt,
    quotedMs: 0,
    incidents: {},
  }
  notify(watch, { ...raisedNotice(now, 'daily-summary', text), kind: 'summary' })
  save(watch)
}

/** Handles a halt from before this process, one that persists, and one whose end was missed. */
function seeHalt(watch: Watch, view: PositionView, now: Ms): void {
  const { book, haltNotifiedAt, parts } = watch
  if (view.now <= watch.haltChangedAt) return
  if (view.tradingState !== 'HALTED') {
    if (book.halted !== null) {
      const text = `trading is ${view.tradingState} again`
      notify(watch, liftedNotice(view.now, 'halted', text))
    }
    return
  }
  const { remindMs } = parts.notify
  if (haltNotifiedAt !== null && (remindMs === null || now - haltNotifiedAt < remindMs)) return
  // Do not remind after an acknowledgement; still notify once of a halt found at the start.
  const isInHand = watch.alerts?.list().some(({ code, ack }) => code === 'halted' && ack !== null) === true
  if (haltNotifiedAt !== null && isInHand) return
  const since = book.halted?.since ?? view.startedAt
  const text = `trading is ${view.reasons[0] ?? 'halted'}`
  notify(watch, { ...raisedNotice(view.now, 'halted', text, since), kind: 'reminder' })
}

/** Writes are serialized, so the latest one wins. */
function save(watch: Watch): void {
  if (!watch.isStarted) return
  watch.writing = watch.writing
    .then(() => watch.file.write({ ...watch.book, failing: watch.failing.since() }))
    .catch((error: unknown) => {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      watch.parts.log.warn(
        { event: 'notification', code },
        `${FILE} cannot be written (${code}): the summary may lack a day`,
      )
    })
}

async function end(watch: Watch, withinMs: Ms): Promise<void> {
  for (const timer of watch.timers) clearInterval(timer)
  save(watch)
  const notifiers = [watch.notifier, ...watch.escalation]
  await Promise.all([...notifiers.map((one) => one.close(withinMs)), watch.writing, watch.alerts?.close()])
}
