import type { Ms } from '../base/time.ts'
import { createEngine } from '../engine/create-engine.ts'
import type { Effect } from '../engine/effect.ts'
import type { EngineState } from '../engine/engine-state.ts'
import type { Event } from '../engine/event.ts'
import { invariant } from '../base/invariant.ts'
import { SIDES, type Side } from '../money/side.ts'
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
  let pending: Pending | null = null
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
    invariant(pending === null, 'one write at a time is under way')
    pending = { effect, at: t + latencyMs + (effect.type === 'activate' ? ACTIVATION_MS : 0) }
    if (effect.type === 'patchSpread') {
      const { bidBps, askBps, quoteBid, quoteAsk } = effect.spread
      run.digest(`q ${t} ${bidBps} ${askBps} ${quoteBid} ${quoteAsk}\n`)
    } else run.digest(`e ${t} ${effect.type}\n`)
  }

  /** A write has landed: it holds from now on, and the core hears of it at once. */
  const land = ({ effect, at: t }: Pending): void => {
    pending = null
    if (effect.type === 'patchSpread') {
      venue.own = effect.spread
      run.quoteUpdates += 1
      tellQuote(t)
      give({ type: 'spreadSet', t, request: effect.id, spread: effect.spread })
    } else if (effect.type === 'activate') {
      venue.active = effect.isActive
      tellQuote(t)
      const { isActive } = effect
      give({ type: 'activation', t, request: effect.id, isActive, partial: false, returned: [] })
    }
  }

  const tellQuote = (t: Ms): void => {
    const { own, active } = venue
    const bid = active && own.quoteBid ? own.bidBps : null
    parts.trail.quote(t, bid, active && own.quoteAsk ? own.askBps : null)
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
      return Math.min(look === null ? Infinity : dueAt(look), pending?.at ?? Infinity, wakeAt)
    },
    step() {
      const look = earliest()
      const lookAt = look === null ? Infinity : dueAt(look)
      const at = Math.min(lookAt, pending?.at ?? Infinity, wakeAt)
      if (pending !== null && pending.at === at) land(pending)
      else if (look !== null && lookAt === at) {
        if (look.answerAt === at) answer(look)
        else askNow(look, latencyMs, (t, sentAt) => shown(look.kind, t, sentAt))
      } else give({ type: 'tick', t: Math.ceil(wakeAt) })
    },
    news(kind, t) {
      if (looks !== null) noteNews(looks[kind], t, state().pacing, core.pacing)
    },
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
  return [
    { type: 'started', t, version: 'backtest', config: { ...parts.core, mode: 'live' } },
    { type: 'account', t, request: 0, isActive: true, walletAddress: null },
    rateEvent(run, t),
    ...SIDES.map((side) => publicEvent(run, t, side)),
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

/** The best spread on a side, ours included. */
function publicEvent({ venue, parts }: RunState, t: Ms, side: Side): Event {
  const { own, active, other, mid } = venue
  const quoted = active && (side === 'bid' ? own.quoteBid : own.quoteAsk)
  const ours = quoted ? (side === 'bid' ? own.bidBps : own.askBps) : Infinity
  const best = Math.min(ours, other[side] ?? Infinity)
  return {
    type: 'publicRate',
    t,
    request: 0,
    side,
    probe: PROBE,
    mid,
    bestBps: best === Infinity ? null : best,
    protocolFeeBps: parts.core.fees.protocolFeeBps,
    lowLiquidity: false,
  }
}
