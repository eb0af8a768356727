import type { Ms } from '../../base/time.ts'
import {
  type Answer,
  drain,
  fireIfSilent,
  heardNothing,
  type Kept,
  keepWritten,
  release,
  renew,
  takeUp,
  type Watched,
  type Written,
} from '../position/grants.ts'
import type { LeaseRows } from '../position/lease-rows.ts'
import { activeRead, nextStep, sideRead, type Step, writeEnded, writeStarted } from '../position/ladder.ts'
import { answerCame, emptyWindow, mayAct, requestLeaves, type VenueWindow } from '../position/venue-window.ts'
import type { GuardWrite, PositionAnswer, PositionRenewal } from '../protocol/renewal.ts'
import type { SealedBroadcast } from './broadcast-sealed.ts'
import { createVenueLooks } from './look-at-venue.ts'
import type { GuardNotice, Report } from './report.ts'
import { type PositionStatus, statusOf } from './position-status.ts'
import type { PositionSettings } from './settings.ts'
import { createSilenceWatch } from './rows-witness.ts'
import type { VenueHand, VenueTraffic } from './venue-hand.ts'

export type Clock = { readonly now: () => Ms; readonly wall: () => Ms }

export type WatchParts = {
  readonly settings: PositionSettings
  readonly kept: Kept
  /** `traffic` is to hear of every request that leaves, and of every answer. */
  readonly openHand: (traffic: VenueTraffic) => VenueHand
  readonly report: Report
  readonly clock: Clock
  /** The record has changed and has to be on disk. */
  readonly onChange: () => void
  /** What the lease rows in PostgreSQL show; null = the daemon's store is a folder. */
  readonly rows: LeaseRows | null
  /** What it sends on chain while it acts; null = nothing. */
  readonly sealed: SealedBroadcast | null
}

/** One position at its guard: who holds its lease, and what the guard does when nobody does. */
export type WatchedPosition = {
  readonly renew: (renewal: PositionRenewal, holder: string, deadlineMs: Ms) => Answer
  /** What goes with an answer: the guard's own writes, until the holder knows its grant, and its requests. */
  readonly handOver: (answer: Answer) => PositionAnswer
  /** To be called some ten times a second; `wasPaused`: this process did not run for a while. */
  readonly tick: (wasPaused: boolean) => void
  readonly drain: () => void
  readonly release: () => void
  readonly status: () => PositionStatus
  readonly isActing: () => boolean
}

export function watchPosition(parts: WatchParts): WatchedPosition {
  const { settings, clock, report, onChange, rows, sealed } = parts
  const watched = takeUp(parts.kept, { now: clock.now(), wall: clock.wall() })
  const memory: Memory = { requested: [], window: emptyWindow() }
  const hand = parts.openHand(trafficOf(memory, clock))
  const acting: Acting = { ...parts, watched, memory, hand }
  const tell = (code: GuardNotice, message: string) => report.notify(code, settings, message)
  const looks = createVenueLooks({
    settings,
    watched,
    hand,
    window: memory.window,
    now: clock.now,
    onMismatch: (words) => tell('guard-mismatch', words),
  })
  const watchSilence = createSilenceWatch({ ...parts, watched, looks })
  return {
    renew(renewal, holder, deadlineMs) {
      const wasActing = watched.hold !== null
      const answer = renew(watched, renewal, { holder, deadlineMs, now: clock.now() }, settings)
      if ('fence' in answer) rows?.renewed(clock.now())
      const isKnown = 'fence' in answer && renewal.fence === answer.fence && watched.kept.written.length > 0
      if (isKnown) watched.kept.written = []
      if (isKnown || ('fence' in answer && answer.isNew) || renewal.isLeaving) onChange()
      if ('fence' in answer && answer.isNew)
        report.log('info', settings.name, `lease ${answer.fence} is granted`)
      if ('fence' in answer && wasActing)
        tell(
          'guard-returned',
          `the daemon is back and has reconciled: lease ${answer.fence} is granted, and it quotes again`,
        )
      return answer
    },
    handOver: (answer) => handOver(acting, answer),
    tick(wasPaused) {
      const now = clock.now()
      if (wasPaused) heardNothing(watched, now)
      const witness = watchSilence(now)
      if (fireIfSilent(watched, { now, wall: clock.wall() }, settings, witness)) {
        onChange()
        fired(acting, tell)
      }
      sealed?.[watched.hold === null ? 'rest' : 'act']()
      if (watched.hold !== null) act(acting, tell)
      else if (witness.holder === 'silent') looks.compare()
    },
    drain() {
      drain(watched)
      onChange()
    },
    release() {
      release(watched)
      onChange()
      report.log('info', settings.name, 'a person has released the position')
    },
    status: () => statusOf(settings, watched, { rows, sealed }, clock.now()),
    isActing: () => watched.hold !== null,
  }
}

type Memory = {
  /** When requests left since the last answer. */
  readonly requested: Ms[]
  readonly window: VenueWindow
}

type Acting = WatchParts & { readonly watched: Watched; readonly memory: Memory; readonly hand: VenueHand }
type Tell = (code: GuardNotice, message: string) => void

function fired({ settings, watched }: Acting, tell: Tell): void {
  const { waitMs, actsNot, safeBps } = settings
  const what = actsNot ?? `the guard sets both sides to the safe quote of ${safeBps} bps`
  tell('guard-fired', `the daemon has been silent for ${waitMs / 1_000} s: ${what}`)
  if (watched.kept.latched !== null)
    tell(
      'guard-latched',
      `${watched.kept.latched}: the position stays as the guard has it until \`mizani guard release\``,
    )
}

/** Does the next step of the ladder where none is under way; each one that ends asks for the next. */
function act(acting: Acting, tell: Tell): void {
  const { watched, settings, clock, memory } = acting
  const { hold } = watched
  if (hold === null || watched.isBusy || !settings.acts) return
  const now = clock.now()
  const step = nextStep(hold, now, settings)
  if (step.do === 'wait') return
  const kind = step.do === 'write' || step.do === 'deactivate' ? 'write' : 'read'
  if (!mayAct(memory.window, now, kind, settings.requestsPerMinute)) return
  watched.isBusy = true
  void perform(acting, hold, step, tell).finally(() => {
    watched.isBusy = false
    act(acting, tell)
  })
}

async function perform(
  { hand, clock, settings, watched, report, onChange }: Acting,
  hold: NonNullable<Watched['hold']>,
  step: Exclude<Step, { readonly do: 'wait' }>,
  tell: Tell,
): Promise<void> {
  if (step.do === 'read') {
    const wasSafe = hold.safeSince !== null
    const bps = await hand.readSide(step.side)
    const seen = sideRead(hold, step.side, bps, clock.now(), settings)
    if (seen === 'differs')
      report.log(
        'warn',
        settings.name,
        `the venue quotes ${bps} bps on the ${step.side} instead of the safe quote; it is set again`,
      )
    if (!wasSafe && hold.safeSince !== null)
      report.log('info', settings.name, `confirmed safe: both sides are read back at ${settings.safeBps} bps`)
    return
  }
  if (step.do === 'look-active') return activeRead(hold, await hand.readActive(), clock.now())
  writeStarted(hold, clock.now())
  keepWritten(watched.kept, { at: clock.wall(), what: step.do === 'write' ? step.what : 'deactivation' })
  onChange()
  const outcome = step.do === 'write' ? await hand.write(step.what) : await hand.deactivate()
  writeEnded(hold, outcome, clock.now())
  const name = step.do === 'write' ? `the quote (${step.what})` : 'the deactivation'
  report.log(outcome.kind === 'done' ? 'info' : 'warn', settings.name, `${name}: ${outcome.words}`)
  if (outcome.kind === 'refused-key')
    tell('guard-powerless', `${outcome.words}: the guard can do nothing more, and the quote stands as it is`)
  if (outcome.kind === 'done' && step.do === 'deactivate')
    tell('guard-deactivated', 'the position is taken out of the market; only a person activates it again')
}

/** What leaves is counted for the venue's minute and for the daemon, which has the same key. */
function trafficOf({ requested, window }: Memory, clock: Clock): VenueTraffic {
  return {
    onRequest() {
      const now = clock.now()
      requested.push(now)
      requestLeaves(window, now)
    },
    onAnswer: (answer) => answerCame(window, answer, { now: clock.now(), wall: clock.wall() }),
  }
}

function handOver({ watched, memory, clock, settings }: Acting, answer: Answer): PositionAnswer {
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

function writeOf(what: Written['what'], agoMs: Ms, safeBps: number): GuardWrite {
  if (what === 'deactivation') return { what, agoMs }
  const spread = {
    bidBps: safeBps,
    askBps: safeBps,
    quoteBid: what !== 'bid-off',
    quoteAsk: what !== 'ask-off',
  }
  return { what: 'spread', agoMs, ...spread }
}
