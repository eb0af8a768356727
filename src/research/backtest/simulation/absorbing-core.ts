import { encodeJson } from '../../../base/codec.ts'
import type { Ms } from '../../../base/time.ts'
import { INPUTS } from '../../../core/engine/decision/inputs-read.ts'
import { lastTimer } from '../../../core/engine/decision/schedule.ts'
import type { AnswerStretch, MidPath, RepeatedAnswer } from '../../../core/engine/answer-stretch.ts'
import type { Audit, Engine } from '../../../core/engine/engine.ts'
import {
  beginStretch,
  type Horizon,
  horizonBand,
  horizonOf,
  isConfirmedWithin,
  isWithinHorizon,
} from '../../../core/engine/horizon.ts'
import type { BestQuoteEvent, Event } from '../../../core/engine/model/event.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'

/** The event of a conclusion. */
export type Moment = Pick<Event, 't' | 'type'>

/**
 * A core that is asked for a conclusion only where it may change something. A rate within the horizon of the last decision updates
 * the state, and its conclusion is left out. The answer to a PATCH within it is reconciled and repeats the decision. Every other event is
 * processed as live. The result is that of a core that processes
 * every event and every tick of the timer (test/property/backtest/horizon.test.ts).
 */
export class AbsorbingCore {
  /** When the core needs a tick, unless the horizon reaches further. */
  wakeAt: Ms = Infinity
  readonly #engine: Engine
  readonly #react: (event: Moment, audit: Audit, state: EngineState) => void
  readonly #absorbs: boolean
  #seq = 0
  #state: EngineState | null = null
  /** Null = every event is processed in full. */
  #horizon: Horizon | null = null
  /** The last decision, and whether a repetition of it would leave a trace: in the memory, or as a clamp that is counted. */
  #decision: EngineState['decision'] = null
  #leavesTrace = false
  #memory = ''
  /** The last event if its conclusion was left out. */
  #last: Moment | null = null
  /** When the last decision was due that was left out; null = none was. */
  #decidedAt: Ms | null = null

  /** `react` gets every conclusion, once. `absorbs` false: leaves nothing out, as a comparison. */
  constructor(
    engine: Engine,
    react: (event: Moment, audit: Audit, state: EngineState) => void,
    absorbs: boolean,
  ) {
    this.#engine = engine
    this.#react = react
    this.#absorbs = absorbs
  }

  give(event: Event): void {
    if (this.#horizon !== null && this.#state !== null && this.#absorb(event, this.#horizon, this.#state))
      return
    this.#repeat(event.t)
    this.#seq += 1
    this.#engine.update(this.#seq, event)
    if (event.type === 'quoteSet' && this.#isConfirmedWithin()) this.#engine.repeat(event.t)
    this.#take(event, this.#engine.conclude())
  }

  /** Returns whether new mids may leave the decision as it is. */
  admitsMids(): boolean {
    if (this.#state === null || this.#horizon === null) return false
    const { min, max } = horizonBand(this.#state, this.#horizon)
    return min < max
  }

  /** Begins a stretch of answers with these mids; null = the next answer has to be given. */
  begin(path: MidPath, repeated: RepeatedAnswer): AnswerStretch | null {
    if (this.#state === null || this.#horizon === null) return null
    return beginStretch(this.#state, this.#horizon, path, repeated)
  }

  /** Takes a stretch that was begun. */
  absorb(stretch: AnswerStretch): void {
    const { answers, lastAt: t, lastType: type, decidedAt } = stretch
    if (answers === 0) return
    this.#seq += answers
    this.#engine.absorb(stretch)
    this.#last = { t, type }
    if (decidedAt !== -Infinity) this.#decidedAt = decidedAt
  }

  #isConfirmedWithin(): boolean {
    return this.#state !== null && this.#horizon !== null && isConfirmedWithin(this.#state, this.#horizon)
  }

  /** Records the decisions before `t` that were left out: they repeat the last one. */
  #repeat(t: Ms): void {
    const event = this.#last
    this.#last = null
    if (event !== null) this.#engine.repeat(this.#dueBy(event.t))
    const { decideAt = Infinity } = this.#state ?? {}
    if (this.#horizon === null || decideAt >= t) return
    const at = Math.max(decideAt, lastTimer(decideAt, t - 1))
    this.#seq += 1
    this.#engine.update(this.#seq, { type: 'tick', t: at })
    this.#engine.repeat(at)
  }

  /** Draws the conclusion of the last event after all. Returns whether it had been left out. */
  conclude(): boolean {
    const event = this.#last
    if (event === null) return false
    this.#last = null
    this.#take(event, this.#engine.conclude(this.#dueBy(event.t)))
    return true
  }

  /** Takes the last decision of the timer until `t` that the horizon left out. */
  catchUp(t: Ms): void {
    this.conclude()
    if (this.#horizon === null || this.#state === null) return
    const { decideAt } = this.#state
    if (decideAt <= t) this.give({ type: 'tick', t: lastTimer(decideAt, t) })
  }

  #absorb(event: Event, horizon: Horizon, state: EngineState): boolean {
    if (event.type === 'bestQuote') {
      if ((horizon.read & INPUTS.competition) !== 0 && !isSameBest(event, state)) return false
    } else if (event.type !== 'rate') return false
    if (event.mid !== horizon.mid) horizonBand(state, horizon)
    this.#seq += 1
    const isQuiet = this.#engine.update(this.#seq, event)
    this.#last = event
    if (this.#engine.requestedAt() === event.t) this.#decidedAt = event.t
    if (!isQuiet || !isWithinHorizon(state, horizon)) this.conclude()
    return true
  }

  /** The time of the last decision until `t` that was left out. */
  #dueBy(t: Ms): Ms {
    const { decideAt = Infinity } = this.#state ?? {}
    const decidedAt = this.#decidedAt
    this.#decidedAt = null
    if (this.#horizon !== null && this.#horizon.limitAt <= t) return t
    if (decidedAt === null) return decideAt <= t ? lastTimer(decideAt, t) : t
    return lastTimer(decidedAt, t)
  }

  #take(event: Moment, audit: Audit): void {
    const state = (this.#state ??= this.#engine.state()!)
    this.#react(event, audit, state)
    if (!this.#absorbs) {
      this.wakeAt = audit.wakeAt
      return
    }
    if (state.decision !== this.#decision) {
      this.#decision = state.decision
      const before = this.#memory
      this.#memory = memoryText(state.strategy.memory)
      this.#leavesTrace = this.#memory !== before || audit.observations.some(({ type }) => type === 'clamped')
    }
    this.#horizon = this.#leavesTrace
      ? null
      : horizonOf(state, audit.reconcileAt, this.#engine.lastQuestion())
    this.wakeAt = this.#horizon?.until ?? audit.wakeAt
  }
}

/** A public rate with the best spread that is known. */
function isSameBest({ side, bestBps }: BestQuoteEvent, { market }: EngineState): boolean {
  const best = market.competition[side]
  return bestBps === (best === null ? null : best.bps)
}

/** Most strategies keep nothing, which needs no text to be compared, and few keep a bigint, which JSON refuses. */
function memoryText(memory: EngineState['strategy']['memory']): string {
  if (memory === null || (isEmpty(memory.own) && isEmpty(memory.inner))) return ''
  try {
    return JSON.stringify(memory)
  } catch {
    return encodeJson(memory)
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  for (const _ in value) return false
  return true
}
