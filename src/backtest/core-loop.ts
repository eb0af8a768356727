import type { Ms } from '../base/time.ts'
import { createEngine } from '../engine/create-engine.ts'
import type { Effect } from '../engine/effect.ts'
import type { EngineState } from '../engine/engine-state.ts'
import type { Event } from '../engine/event.ts'
import { invariant } from '../base/invariant.ts'
import { SIDES, type Side } from '../money/side.ts'
import { bestBps } from './best-bps.ts'
import { askNow, createLook, noteNews, type Look, type LookKind } from './looks.ts'
import type { RunState } from './run-state.ts'

/** How long the venue takes to sweep a position in or out: on-chain, up to a minute (venue.md). */
const ACTIVATION_MS = 20_000

/** The probe of the public endpoint; its size does not matter here, the tape says who was best. */
const PROBE = 100n

/** The core on the virtual clock: what it has sent and has no answer to, and when it looks again. */
export type CoreLoop = {
  /** The first balances are there: the daemon is started and takes its first decision. */
  readonly start: (t: Ms) => void
  /** When something happens next: an answer, a look, a tick of the core's own. */
  readonly nextAt: () => Ms
  /** Lets the earliest of it happen. */
  readonly step: () => void
  /** The venue shows something new from `t` on; the core sees it at its next look of that kind. */
  readonly news: (kind: LookKind, t: Ms) => void
  readonly reference: (t: Ms, source: string) => void
  /** Whether the core has seen every fill that there was. */
  readonly knowsAll: () => boolean
  readonly state: () => EngineState
}

/** A PATCH or an activation on its way; at most one of each, and no third. */
type Pending = { readonly at: Ms; readonly effect: Effect }

export function createCoreLoop(run: RunState): CoreLoop {
  const { parts, venue } = run
  const { latencyMs } = parts.settings
  const { core } = parts
  const engine = createEngine({
    strategyFor: () => parts.strategy,
    calendar: parts.calendar,
    looks: 'given',
    observes: false,
  })
  let seq = 0
  let wakeAt: Ms = Infinity
  const pending: Pending[] = []
  /** When the first of them lands. */
  let landsAt: Ms = Infinity
  let looks: Record<LookKind, Look> | null = null

  const state = (): EngineState => {
    const now = engine.state()
    invariant(now !== null, 'the core of a backtest is asked before it was started')
    return now
  }

  const give = (event: Event): void => {
    seq += 1
    const audit = engine.process(seq, event)
    ;({ wakeAt } = audit)
    for (const effect of audit.effects) send(effect, event.t)
  }

  const send = (effect: Effect, t: Ms): void => {
    // While a sweep is under way the spread may still be changed.
    const twice = pending.some((one) => one.effect.type === effect.type)
    invariant(!twice, `one ${effect.type} at a time is under way`)
    const at = t + latencyMs + (effect.type === 'activate' ? ACTIVATION_MS : 0)
    pending.push({ effect, at })
    landsAt = Math.min(landsAt, at)
    if (effect.type === 'patchSpread') {
      const { bidBps, askBps, quoteBid, quoteAsk } = effect.spread
      run.digest(`q ${t} ${bidBps} ${askBps} ${quoteBid} ${quoteAsk}\n`)
    } else run.digest(`e ${t} ${effect.type}\n`)
  }

  /** The first write under way has landed: it holds from now on, and the core hears of it at once. */
  const land = (): void => {
    const t = landsAt
    const index = pending.findIndex(({ at }) => at === t)
    const effect = pending.splice(index, 1)[0]?.effect
    landsAt = pending[0]?.at ?? Infinity
    if (effect?.type === 'patchSpread') {
      const { id, spread } = effect
      hold(t, () => (venue.own = spread))
      run.quoteUpdates += 1
      give({ type: 'spreadSet', t, request: id, spread })
    } else if (effect?.type === 'activate') {
      const { id, isActive } = effect
      hold(t, () => (venue.active = isActive))
      give({ type: 'activation', t, request: id, isActive, partial: false, returned: [] })
    }
  }

  /** Our own quote is in the public one: where it moves the best, that is news too. */
  const hold = (t: Ms, change: () => void): void => {
    const [bid, ask] = [bestBps(venue, 'bid'), bestBps(venue, 'ask')]
    change()
    tellQuote(t)
    if (bestBps(venue, 'bid') !== bid) news('publicBid', t)
    if (bestBps(venue, 'ask') !== ask) news('publicAsk', t)
  }

  const tellQuote = (t: Ms): void => {
    const { own, active } = venue
    const bid = active && own.quoteBid ? own.bidBps : null
    parts.trail.quote(t, bid, active && own.quoteAsk ? own.askBps : null)
  }

  const news = (kind: LookKind, t: Ms): void => {
    if (looks !== null) noteNews(looks[kind], t, state().pacing, core.pacing)
  }

  const answer = (look: Look): void => {
    const event = look.answer
    look.answerAt = Infinity
    look.answer = null
    if (event !== null) give(event)
  }

  /** What the venue shows to a look of that kind now, for when the answer arrives. */
  const shown = (kind: LookKind, t: Ms, sentAt: Ms): Event => {
    if (kind === 'rate') return rateEvent(run, t)
    if (kind !== 'fills') return publicEvent(run, t, kind === 'publicBid' ? 'bid' : 'ask')
    const fills = run.unseen
    run.unseen = []
    return { type: 'fills', t, request: 0, sentAt, fills, quarantined: [], repeated: 1, windowFull: false }
  }

  const earliest = (): Look | null => {
    if (looks === null) return null
    let first: Look | null = null
    for (const kind of LOOK_KINDS) {
      const look = looks[kind]
      if (first === null || dueAt(look) < dueAt(first)) first = look
    }
    return first
  }

  return {
    start(t) {
      looks = firstLooks(t, core.pacing.publicRequestsPerMinute)
      for (const event of openingEvents(run, t)) give(event)
    },
    nextAt() {
      const look = earliest()
      return Math.min(look === null ? Infinity : dueAt(look), landsAt, wakeAt)
    },
    step() {
      const look = earliest()
      const lookAt = look === null ? Infinity : dueAt(look)
      const at = Math.min(lookAt, landsAt, wakeAt)
      if (landsAt === at) land()
      else if (look !== null && lookAt === at) {
        if (look.answerAt === at) answer(look)
        else askNow(look, latencyMs, (t, sentAt) => shown(look.kind, t, sentAt))
      } else give({ type: 'tick', t: Math.ceil(wakeAt) })
    },
    news,
    reference(t, source) {
      if (looks !== null) give({ type: 'reference', t, source, mid: venue.fair })
    },
    knowsAll: () => run.unseen.length === 0 && (looks === null || looks.fills.answer === null),
    state,
  }
}

const LOOK_KINDS = ['fills', 'rate', 'publicBid', 'publicAsk'] as const satisfies readonly LookKind[]

function dueAt(look: Look): Ms {
  return Math.min(look.answerAt, look.askAt)
}

/** Everything is asked at the start; the two public probes take turns, as the live core has it. */
function firstLooks(t: Ms, publicPerMinute: number): Record<LookKind, Look> {
  const turn = publicPerMinute > 0 ? 60_000 / publicPerMinute : 0
  return {
    fills: createLook('fills', t),
    rate: createLook('rate', t),
    publicBid: createLook('publicBid', t),
    publicAsk: createLook('publicAsk', t + turn),
  }
}

/** What the first answers of the venue say to a daemon that takes over a position in the market. */
function openingEvents(run: RunState, t: Ms): readonly Event[] {
  const { parts, venue } = run
  const fills = { type: 'fills', t, sentAt: t, fills: [], quarantined: [], repeated: 0 } as const
  const { protocolFeeBps, bidFormula } = parts.core.fees
  const { fair, fairSource: source } = venue
  const isProbed = parts.core.pacing.publicRequestsPerMinute > 0
  return [
    { type: 'started', t, version: 'backtest', config: { ...parts.core, mode: 'live' } },
    { type: 'account', t, request: 0, isActive: true, walletAddress: null },
    rateEvent(run, t),
    ...(source === null ? [] : [{ type: 'reference', t, source, mid: fair } as const]),
    ...(isProbed ? SIDES.map((side) => publicEvent(run, t, side)) : []),
    { ...fills, request: 0, windowFull: false },
    { type: 'balances', t, request: 0, sentAt: t, amounts: { ...venue.pool }, source: 'pool' },
    { ...fills, request: 0, windowFull: false },
    ...SIDES.map((side): Event => ({
      type: 'quoteRead',
      t,
      request: 0,
      side,
      spreadBps: side === 'bid' ? venue.own.bidBps : venue.own.askBps,
      mid: venue.mid,
      protocolFeeBps,
      formula: bidFormula,
    })),
  ]
}

function rateEvent({ venue }: RunState, t: Ms): Event {
  const { mid, rateUpdatedAt, quotable } = venue
  return { type: 'rate', t, request: 0, mid, problem: null, rateUpdatedAt, quotable, venueTime: t }
}

function publicEvent({ venue, parts }: RunState, t: Ms, side: Side): Event {
  return {
    type: 'publicRate',
    t,
    request: 0,
    side,
    probe: PROBE,
    mid: venue.mid,
    bestBps: bestBps(venue, side),
    protocolFeeBps: parts.core.fees.protocolFeeBps,
    lowLiquidity: false,
  }
}
