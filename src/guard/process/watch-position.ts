import { SECOND_MS, type Ms } from '../../base/time.ts'
import { type Side, SIDES } from '../../money/side.ts'
import {
  type Answer,
  drain,
  fireIfSilent,
  heardNothing,
  type Kept,
  release,
  renew,
  takeUp,
  type Watched,
} from '../position/grants.ts'
import {
  activeRead,
  nextStep,
  type SafeWrite,
  sideRead,
  type Step,
  writeEnded,
  writeStarted,
} from '../position/ladder.ts'
import {
  answerCame,
  emptyWindow,
  mayAct,
  mayWatch,
  requestLeaves,
  type VenueWindow,
} from '../position/venue-window.ts'
import type { GuardWrite, PositionAnswer, PositionRenewal } from '../protocol/renewal.ts'
import type { GuardNotice, Report } from './report.ts'
import { type PositionStatus, statusOf } from './position-status.ts'
import type { PositionSettings } from './settings.ts'
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
}

/** One position at its guard: who holds its lease, and what the guard does when nobody does. */
export type WatchedPosition = {
  readonly renew: (renewal: PositionRenewal, holder: string, deadlineMs: Ms) => Answer
  /** What goes with an answer: the guard's own writes, handed over with a grant, and its requests. */
  readonly handOver: (answer: Answer) => PositionAnswer
  /** To be called some ten times a second; `wasPaused`: this process did not run for a while. */
  readonly tick: (wasPaused: boolean) => void
  readonly drain: () => void
  readonly release: () => void
  readonly status: () => PositionStatus
  readonly isActing: () => boolean
}

type Written = { readonly at: Ms; readonly what: SafeWrite | 'deactivation' }

/** What is handed over of a long absence: the latest writes are what may still take effect. */
const MOST_WRITTEN = 50

const LOOK_EVERY_MS: Ms = 30 * SECOND_MS
const LOOK_AGAIN_MS: Ms = 5 * SECOND_MS

export function watchPosition(parts: WatchParts): WatchedPosition {
  const { settings, clock, report, onChange } = parts
  const watched = takeUp(parts.kept, { now: clock.now(), wall: clock.wall() })
  const memory: Memory = {
    written: [],
    requested: [],
    window: emptyWindow(),
    lookAt: clock.now() + LOOK_EVERY_MS,
    misses: 0,
  }
  const hand = parts.openHand(trafficOf(memory, clock))
  const acting: Acting = { ...parts, watched, memory, hand }
  const tell = (code: GuardNotice, message: string) => report.notify(code, settings, message)
  return {
    renew(renewal, holder, deadlineMs) {
      const wasActing = watched.hold !== null
      const answer = renew(watched, renewal, { holder, deadlineMs, now: clock.now() }, settings)
      if (('fence' in answer && answer.isNew) || renewal.isLeaving) onChange()
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
      if (fireIfSilent(watched, { now, wall: clock.wall() }, settings)) {
        onChange()
        fired(acting, tell)
      }
      if (watched.hold !== null) act(acting, tell)
      else look(acting, tell)
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
    status: () => statusOf(settings, watched, clock.now()),
    isActing: () => watched.hold !== null,
  }
}

type Memory = {
  /** What left since the last grant, oldest first. */
  written: Written[]
  /** When requests left since the last answer. */
  readonly requested: Ms[]
  readonly window: VenueWindow
  lookAt: Ms
  /** Looks in a row that showed another quote than the lease calls confirmed. */
  misses: number
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
  { hand, clock, settings, memory, report }: Acting,
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
  memory.written = [
    ...memory.written.slice(1 - MOST_WRITTEN),
    { at: clock.now(), what: step.do === 'write' ? step.what : 'deactivation' },
  ]
  const outcome = step.do === 'write' ? await hand.write(step.what) : await hand.deactivate()
  writeEnded(hold, outcome, clock.now())
  const name = step.do === 'write' ? `the quote (${step.what})` : 'the deactivation'
  report.log(outcome.kind === 'done' ? 'info' : 'warn', settings.name, `${name}: ${outcome.words}`)
  if (outcome.kind === 'refused-key')
    tell('guard-powerless', `${outcome.words}: the guard can do nothing more, and the quote stands as it is`)
  if (outcome.kind === 'done' && step.do === 'deactivate')
    tell('guard-deactivated', 'the position is taken out of the market; only a person activates it again')
}

/** While a daemon holds the lease: does the venue quote what the lease calls confirmed? */
function look(acting: Acting, tell: Tell): void {
  const { watched, settings, clock, memory } = acting
  const { kept, shown, shownAt, isBusy } = watched
  const now = clock.now()
  if (!settings.acts || isBusy || kept.holder === null || shown === null || shownAt === null) return
  if (shown.quote === null || now < memory.lookAt || !mayWatch(memory.window, now, SIDES.length)) return
  watched.isBusy = true
  void compare(acting, shown.quote, tell).finally(() => (watched.isBusy = false))
}

async function compare(
  { hand, watched, memory, clock, settings }: Acting,
  quote: NonNullable<PositionRenewal['quote']>,
  tell: Tell,
): Promise<void> {
  memory.lookAt = clock.now() + LOOK_EVERY_MS
  const differing: string[] = []
  for (const side of SIDES) {
    const bps = await hand.readSide(side)
    const confirmed = side === 'bid' ? quote.bidBps : quote.askBps
    if (bps !== null && bps !== confirmed) differing.push(wordsOf(side, bps, confirmed))
  }
  const after = watched.shown?.quote ?? null
  // A quote that moved meanwhile was compared with a former one.
  if (after === null || after.bidBps !== quote.bidBps || after.askBps !== quote.askBps) return
  if (differing.length === 0) {
    memory.misses = 0
    return
  }
  memory.misses += 1
  memory.lookAt = clock.now() + LOOK_AGAIN_MS
  if (memory.misses === 2)
    tell(
      'guard-mismatch',
      `${differing.join(' and ')} for ${settings.name}; the daemon lives, so the guard changes nothing`,
    )
}

function wordsOf(side: Side, bps: number, confirmed: number): string {
  return `the venue quotes ${bps} bps on the ${side} where the daemon calls ${confirmed} confirmed`
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
  const writes = memory.written.map(({ at, what }) => writeOf(what, Math.round(now - at), settings.safeBps))
  const requestsAgoMs = memory.requested.splice(0).map((at) => Math.round(now - at))
  if (isGrant) memory.written = []
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
