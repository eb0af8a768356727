import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import {
  type GrantAnswer,
  drain,
  fireIfSilent,
  restartWaiting,
  releaseGrant,
  renew,
  takeUp,
} from '../position/grants.ts'
import type { GuardRecord, WrittenRecord } from '../position/record.ts'
import { answerCame, emptyWindow, requestLeaves, type VenueWindow } from '../position/venue-window.ts'
import type { GuardNotice } from '../notices/notice.ts'
import { MAX_SPREAD_BPS } from '../../../base/money/bps.ts'
import type { GuardWrite, PositionAnswer, PositionRenewal } from '../protocol/renewal.ts'
import { type Act, createAct } from './act-for-position.ts'
import { createVenueLooks, type VenueLooks } from './look-at-venue.ts'
import { type PositionStatus, guardStatusOf } from './position-status.ts'
import { createSilenceWatch } from './rows-witness.ts'
import type { VenueTraffic } from './guard-venue.ts'
import type { Acting, WatchClock, WatchParts } from './watch-parts.ts'

/** One position at its guard: the holder of its lease, and the guard's actions when no one holds it. */
export type WatchedPosition = {
  readonly renew: (renewal: PositionRenewal, holder: string, deadlineMs: Ms) => GrantAnswer
  /** Adds the guard's requests to an answer, and its writes until the holder confirms its grant. */
  readonly handOver: (answer: GrantAnswer) => PositionAnswer
  /** Called ten times a second. `wasPaused`: this process was suspended for a while. */
  readonly tick: (wasPaused: boolean) => void
  readonly drain: () => void
  readonly release: () => void
  readonly status: () => PositionStatus
  readonly isActing: () => boolean
  readonly isDrained: () => boolean
}

/** A restart takes seconds; a drained guard is reported after this time. */
const DRAINED_TOLD_MS: Ms = 10 * MINUTE_MS
/** The alerts that end when the daemon returns. An activation ends the alert of a deactivation. */
const ENDED_BY_A_RETURN: readonly GuardNotice[] = [
  'guard-fired',
  'guard-latched',
  'guard-unconfirmed',
  'guard-powerless',
]

export function watchPosition(parts: WatchParts): WatchedPosition {
  const { settings, clock, report, onChange, rows } = parts
  const watched = takeUp(parts.kept, { now: clock.now(), wall: clock.wall() })
  const memory: Memory = { requested: [], window: emptyWindow(), drainedAt: null, isDrainedTold: false }
  const client = parts.openClient(trafficOf(memory, clock))
  const acting: Acting = { ...parts, watched, window: memory.window, client }
  const looks = looksOf(acting)
  const act = createAct(acting, looks.hasSeen)
  const watchSilence = createSilenceWatch({ ...parts, watched, looks })
  return {
    renew: (...renewal) => renewed(acting, act, ...renewal),
    handOver: (answer) => handOver(acting, memory, answer),
    tick(wasPaused) {
      const now = clock.now()
      if (wasPaused) restartWaiting(watched, now)
      const witness = watchSilence(now)
      if (fireIfSilent(watched, { now, wall: clock.wall() }, settings, witness)) {
        onChange()
        fired(acting)
        act.began()
      }
      if (watched.hold !== null) act.tick(watched.hold)
      else if (witness.holder === 'silent') looks.compare()
      remindOfDrain(acting, memory)
    },
    drain() {
      memory.drainedAt ??= clock.now()
      drain(watched)
      onChange()
    },
    release() {
      const wasLatched = watched.kept.latched !== null
      releaseGrant(watched)
      act.tryKeyAgain()
      onChange()
      if (wasLatched) report.lift('guard-latched', settings, RELEASED)
      else report.log('info', settings.name, RELEASED)
    },
    status: () =>
      guardStatusOf(settings, watched, rows, clock.now(), {
        powerless: act.powerless(),
        blind: looks.blind(),
        isDrained: memory.drainedAt !== null,
        alerts: report.open(settings.name),
      }),
    isActing: () => watched.hold !== null,
    isDrained: () => memory.drainedAt !== null,
  }
}

function looksOf({ settings, watched, client, window, clock, report }: Acting): VenueLooks {
  return createVenueLooks({
    settings,
    watched,
    client,
    window,
    now: clock.now,
    onMismatch: (words) => report.notify('guard-mismatch', settings, words),
    onBlind: (words) =>
      report.notify('guard-blind', settings, `${words}: if the daemon died now, the guard could do nothing`),
    onSight: () => report.lift('guard-blind', settings, 'the venue answers the key of the guard again'),
  })
}

function renewed(
  { watched, settings, clock, report, onChange, rows }: Acting,
  act: Act,
  renewal: PositionRenewal,
  holder: string,
  deadlineMs: Ms,
): GrantAnswer {
  const wasActing = watched.hold !== null
  const before = { ...watched.kept }
  const answer = renew(watched, renewal, { holder, deadlineMs, now: clock.now() }, settings)
  if (!('fence' in answer)) {
    if (isOther(watched.kept, before)) onChange()
    return answer
  }
  rows?.renewed(clock.now())
  const isKnown = renewal.fence === answer.fence && watched.kept.written.length > 0
  if (isKnown) watched.kept.written = []
  if (isKnown || isOther(watched.kept, before)) onChange()
  if (answer.isNew) report.log('info', settings.name, `lease ${answer.fence} is granted`)
  if (wasActing) {
    act.ended()
    report.resolve('guard-returned', ENDED_BY_A_RETURN, settings, returnedWords(renewal, answer.fence))
  }
  if (renewal.isActive === true && report.isOpen(settings.name, 'guard-deactivated'))
    report.lift('guard-deactivated', settings, 'the position is in the market again')
  return answer
}

/** The fields of the record that a renewal may change. */
const KEPT_OF_A_RENEWAL = ['fence', 'holder', 'worse'] as const

function isOther(kept: GuardRecord, before: GuardRecord): boolean {
  return KEPT_OF_A_RENEWAL.some((key) => kept[key] !== before[key])
}

function returnedWords({ isActive }: PositionRenewal, fence: number): string {
  const what =
    isActive === false ? 'the position is out of the market until a person activates it' : 'it quotes again'
  return `the daemon is back: it has reconciled, lease ${fence} is granted, and ${what}`
}

const RELEASED = 'a person has released the position'

type Memory = {
  /** When requests were sent since the last answer. */
  readonly requested: Ms[]
  readonly window: VenueWindow
  /** Null = it is not drained. */
  drainedAt: Ms | null
  isDrainedTold: boolean
}

function fired({ settings, watched, report }: Acting): void {
  const { waitMs, actsNot, safeBps } = settings
  const what = actsNot ?? `the guard sets both sides to the safe quote of ${safeBps} bps`
  report.notify('guard-fired', settings, `the daemon has been silent for ${waitMs / 1_000} s: ${what}`)
  if (watched.kept.latched !== null)
    report.notify(
      'guard-latched',
      settings,
      `${watched.kept.latched}: the position stays as the guard has it until \`mizani guard release\``,
    )
}

function remindOfDrain({ settings, clock, report }: Acting, memory: Memory): void {
  const { drainedAt, isDrainedTold } = memory
  if (drainedAt === null || isDrainedTold || clock.now() - drainedAt < DRAINED_TOLD_MS) return
  memory.isDrainedTold = true
  const minutes = DRAINED_TOLD_MS / MINUTE_MS
  report.notify('guard-drained', settings, `the guard was drained ${minutes} minutes ago: no one watches`)
}

/** Counts requests for the venue's rate limit and for the daemon, which shares the key. */
function trafficOf({ requested, window }: Memory, clock: WatchClock): VenueTraffic {
  return {
    onRequest() {
      const now = clock.now()
      requested.push(now)
      requestLeaves(window, now)
    },
    onAnswer: (answer) => answerCame(window, answer, { now: clock.now(), wall: clock.wall() }),
  }
}

function handOver({ watched, clock, settings }: Acting, memory: Memory, answer: GrantAnswer): PositionAnswer {
  const now = clock.now()
  const isGrant = 'fence' in answer
  const writes = watched.kept.written.map(({ at, what }) =>
    writeOf(what, Math.max(0, Math.round(clock.wall() - at)), settings.safeBps),
  )
  const requestsAgoMs = memory.requested.splice(0).map((at) => Math.round(now - at))
  return {
    name: settings.name,
    fence: isGrant ? answer.fence : null,
    refusal: isGrant ? null : answer.refusal,
    words: isGrant ? '' : answer.words,
    writes: isGrant || watched.hold !== null ? writes : [],
    requestsAgoMs,
  }
}

function writeOf(what: WrittenRecord['what'], agoMs: Ms, safeBps: number): GuardWrite {
  if (what === 'deactivation') return { what, agoMs }
  const spread = {
    bidBps: what === 'bid-off' ? MAX_SPREAD_BPS : safeBps,
    askBps: what === 'ask-off' ? MAX_SPREAD_BPS : safeBps,
    quoteBid: what !== 'bid-off',
    quoteAsk: what !== 'ask-off',
  }
  return { what: 'spread', agoMs, ...spread }
}
