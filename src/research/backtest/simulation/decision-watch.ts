import type { Effect } from '../../../core/engine/model/effect.ts'
import type { Observation } from '../../../core/engine/model/observation.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import { MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import type { Plot } from '../../../core/strategy/define-strategy.ts'
import { nextMove } from '../../../core/quoting/next-move.ts'
import type { Binding, RecordedDecision } from '../recorder.ts'
import type { Moment } from './absorbing-core.ts'
import type { RunState } from './state.ts'

type Clamp = Extract<Observation, { readonly type: 'clamped' }>
type Watched = Pick<EngineState, 'approvedTarget' | 'activeRules'>

const NO_CLAMPS: readonly Clamp[] = []
const NO_PLOT: Plot = {}

/**
 * Reports to the recorder which risk rules and clamps bind since when and, if requested, each decision that differs
 * from the previous one. An event that leaves the approved target unchanged costs two comparisons.
 */
export class DecisionWatch {
  readonly #run: RunState
  #approvedTarget: Watched['approvedTarget'] = null
  #rules: Watched['activeRules'] | null = null
  #clamps: readonly Clamp[] = NO_CLAMPS
  #bound = ''
  #plot = NO_PLOT
  /** The last listed decision as text, for comparison. */
  #listed = ''

  constructor(run: RunState) {
    this.#run = run
  }

  /** Call it after each event of the core, with its observations and effects, and what the strategy plots. */
  look(
    event: Moment,
    state: EngineState,
    effects: readonly Effect[],
    observations: readonly Observation[],
    plot = NO_PLOT,
  ): void {
    const { approvedTarget, activeRules } = state
    const isPlotted = plot !== this.#plot && this.#draw(event, plot)
    const isHeld = approvedTarget === this.#approvedTarget && activeRules === this.#rules
    if (isHeld && effects.length === 0 && !isPlotted) return
    if (approvedTarget !== this.#approvedTarget) this.#clamps = clampsOf(observations)
    if (this.#clamps.length > 0) this.#run.clamps.note(observations)
    // Equal targets with different fallbacks are separate answers, and the core approves the second one again.
    if (approvedTarget !== this.#approvedTarget)
      this.#run.fallback.note(event.t, state.strategy.wanted?.fallback)
    this.#approvedTarget = approvedTarget
    this.#rules = activeRules
    const { recorder } = this.#run.parts
    const bound = boundBy(activeRules, this.#clamps)
    const named = bound.map(({ name }) => name).join(' ')
    if (named !== this.#bound) {
      this.#bound = named
      recorder.binding(event.t, bound)
    }
    if (recorder.decision !== undefined) this.#list(event, state, effects, bound)
  }

  /** Returns whether a value has changed. */
  #draw({ t }: Moment, plot: Plot): boolean {
    const before = this.#plot
    const names = Object.keys(plot)
    if (names.length === Object.keys(before).length && names.every((name) => plot[name] === before[name]))
      return false
    this.#plot = plot
    this.#run.parts.recorder.plot?.(t, plot)
    return true
  }

  #list(event: Moment, state: EngineState, effects: readonly Effect[], bound: readonly Binding[]): void {
    const { approvedTarget, decision, strategy, config } = state
    if (approvedTarget === null || decision === null) return
    const { venue, parts } = this.#run
    const { bidBps, askBps, because } = approvedTarget
    // A rule that demands the safe quote overrides the strategy; a crossed quote came from the strategy itself.
    const isLeftOut =
      state.latch.halted !== null ||
      decision.findings.some(({ rule, effect }) => effect === 'safe' && rule !== 'crossed')
    const wanted = isLeftOut || strategy.wanted === null ? null : strategy.wanted
    const patch = effects.find((effect) => effect.type === 'setQuote')
    const shown = {
      target: wanted === null ? null : { bidBps: wanted.bidBps, askBps: wanted.askBps },
      approved: { kind: approvedTarget.kind, bidBps, askBps },
      tradingState: decision.tradingState,
      because,
      bound,
      plot: this.#plot,
    }
    const text = JSON.stringify(shown)
    if (patch === undefined && text === this.#listed) return
    this.#listed = text
    const recorded: RecordedDecision = {
      t: event.t,
      cause: event.type,
      mid: venue.mid,
      fair: venue.fair,
      ...shown,
      request: patch?.id ?? null,
      unsent: patch === undefined ? whyUnsent(state, event, config) : null,
    }
    parts.recorder.decision?.(recorded)
  }
}

function clampsOf(observations: readonly Observation[]): readonly Clamp[] {
  if (observations.length === 0) return NO_CLAMPS
  return observations.filter((one) => one.type === 'clamped')
}

const NOTHING: readonly Binding[] = []

function boundBy(rules: Watched['activeRules'], clamps: readonly Clamp[]): readonly Binding[] {
  if (rules.length === 0 && clamps.length === 0) return NOTHING
  return [...rules.map(ruleBinding), ...clamps.map(clampBinding)]
}

function ruleBinding(name: string): Binding {
  return { kind: 'rule', name }
}

function clampBinding({ side, sent }: Clamp): Binding {
  return { kind: 'clamp', name: `${side}-${sent === MIN_SPREAD_BPS ? 'floor' : 'cap'}` }
}

/** Returns why no quote update was sent for the approved target, in the configuration's terms. */
function whyUnsent(
  { approvedTarget, quoting }: EngineState,
  { t }: Moment,
  { quote }: EngineState['config'],
): string | null {
  if (approvedTarget === null) return null
  if (quoting.inFlight !== null) return 'a quote update is in flight'
  const move = nextMove(quoting, approvedTarget, t, quote)
  if (move.kind === 'wait') return 'waits for quote.minRequoteIntervalMs'
  if (move.kind === 'read-back') return 'waits for a read-back of the quote'
  if (move.kind === 'patch') return 'waits for the request budget'
  const { confirmed } = quoting
  const isHeld =
    confirmed !== null &&
    (confirmed.quoteBid ? confirmed.bidBps : null) === approvedTarget.bidBps &&
    (confirmed.quoteAsk ? confirmed.askBps : null) === approvedTarget.askBps
  return isHeld ? 'the venue already quotes it' : 'closer to the quote than quote.requoteThresholdBps'
}
