import type { Cause, CompetitionOnSide, Available, StrategyContext } from '../../strategy/context.ts'
import { refuseOldNames } from '../../strategy/refused-names.ts'
import { inputNames, INPUTS, type LastQuestion } from './inputs-read.ts'
import type { InventoryShare } from './inventory-share.ts'
import type { Transition } from '../transition.ts'
import { deepFreeze } from '../../../base/frozen.ts'
import { seededRandom } from '../../../base/random.ts'
import type { Ms } from '../../../base/time.ts'
import { fairValue } from '../../market/fair-value.ts'
import { midAge } from '../../market/market-state.ts'
import { STABLE_ASSETS, type StableAsset } from '../../../base/money/asset.ts'
import { rateToNumber } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import { pollInterval } from '../../pacing/poll-schedule.ts'
import { coveredByWallet } from '../../rfq/commitment.ts'
import { readFairShift } from '../market/fair-shift.ts'
import { latestFills } from '../model/flow-state.ts'
import { markoutsOn } from '../accounting/markouts.ts'
import type { EngineState } from '../model/state.ts'

/** What a context is made of: a transition has all of it. */
export type ContextSource = Pick<Transition, 'state' | 'now' | 'seq' | 'calendar' | 'polling'>

/**
 * Shows a strategy all that it may know, one and the same object every time, valid during the call. It notes which inputs
 * the strategy read: the record of an answer.
 */
type ContextProvider = {
  /** The context of this transition; asking begins. */
  readonly show: (source: ContextSource, share: InventoryShare, cause: Cause) => StrategyContext
  /** Asking has ended: a context that the strategy has kept shows nothing more. */
  readonly end: () => void
  /** Whether the strategy read one of these inputs when it was asked last. */
  readonly hasRead: (inputs: number) => boolean
  /** When the strategy was asked last, and what it read; null = not yet. */
  readonly lastQuestion: () => LastQuestion | null
  /** Whether the strategy has ever read the estimated gap: the core listens for it from then on. */
  readonly readsFairShift: () => boolean
}

export function createContextProvider(): ContextProvider {
  const question = new Question()
  const context = contextOf(question)
  return {
    show(source, share, cause) {
      question.ask(source, share, cause)
      return context
    },
    end: () => question.end(),
    hasRead: (inputs) => (question.inputs & inputs) !== 0,
    lastQuestion: () =>
      question.askedAt === null
        ? null
        : { askedAt: question.askedAt, cause: question.reason, inputs: inputNames(question.inputs) },
    readsFairShift: () => question.readsFairShift,
  }
}

/** What a strategy is being asked; the context reads from it and notes what was read. */
class Question {
  /** Bits of INPUTS that were read since it was asked. */
  inputs = 0
  askedAt: Ms | null = null
  reason: Cause = 'start'
  readsFairShift = false
  #source: ContextSource | null = null
  #share: InventoryShare | null = null

  ask(source: ContextSource, share: InventoryShare, cause: Cause): void {
    this.#source = source
    this.#share = share
    this.reason = cause
    this.askedAt = source.now
    this.inputs = 0
  }

  end(): void {
    this.#source = null
    this.#share = null
  }

  /** The source, read for one input. */
  source(input: number): ContextSource {
    if (this.#source === null) throw new Error(OVER)
    this.inputs |= input
    return this.#source
  }

  share(input: number): InventoryShare {
    if (this.#share === null) throw new Error(OVER)
    this.inputs |= input
    return this.#share
  }
}

/** A strategy that has kept its context reads it in `init`, say, or while its parameters are checked. */
const OVER = 'the context is valid only while the strategy is asked'

/**
 * A view of the question's source: nothing is gathered that the strategy does not look at. The view is frozen with its
 * functions, and what it hands out is either frozen or a copy: a strategy learns from it and changes nothing by it.
 */
function contextOf(question: Question): StrategyContext {
  const competition = deepFreeze({ bid: competitionOn(question, 'bid'), ask: competitionOn(question, 'ask') })
  const inventory = deepFreeze(refuseOldNames('context.inventory', inventoryOf(question)))
  const context: StrategyContext = {
    get now() {
      return question.source(INPUTS.time).now
    },
    get cause() {
      question.source(INPUTS.time)
      return question.reason
    },
    get mid() {
      return question.share(INPUTS.mid).tzsPerUsd
    },
    get midAgeMs() {
      const { state, now } = question.source(INPUTS.time)
      return midAge(state.market, now)
    },
    get fairValue() {
      return fairValueFor(question)
    },
    get fairShift() {
      const { state, now } = question.source(INPUTS.time | INPUTS.fairValue | INPUTS.mid)
      question.readsFairShift = true
      return readFairShift(state, now)
    },
    get inventory() {
      question.source(0)
      return inventory
    },
    get recentFills() {
      return latestFills(question.source(INPUTS.fills).state.flow)
    },
    markouts: deepFreeze(markoutsOf(question)),
    get competition() {
      const { bid, ask } = question.source(INPUTS.competition).state.market.competition
      return { bid: bid === null ? null : competition.bid, ask: ask === null ? null : competition.ask }
    },
    get standing() {
      return standingIn(question.source(INPUTS.standing))
    },
    get protocolFeeBps() {
      const { market, config } = question.source(INPUTS.fee).state
      return market.protocolFeeBps ?? config.fees.protocolFeeBps
    },
    get available() {
      return availableIn(question.source(INPUTS.available).state)
    },
    get calibration() {
      return deepFreeze(question.source(0).state.config.calibration?.learned ?? null)
    },
    inWindow(cron, timezone) {
      const { calendar, now } = question.source(INPUTS.time)
      return calendar(text(cron), text(timezone), now)
    },
    random: (label) => seededRandom(question.source(INPUTS.time).seq, text(label)),
  }
  return deepFreeze(refuseOldNames('context', context))
}

function fairValueFor(question: Question): StrategyContext['fairValue'] {
  const { market } = question.source(INPUTS.fairValue).state
  const fair = fairValue(market)
  return {
    tzsPerUsd: fair === null ? question.share(INPUTS.mid).tzsPerUsd : rateToNumber(fair),
    errorBps: market.estimate?.errorBps ?? 0,
  }
}

/** Amounts move with a fill, shares of the value with the mid too: each member notes what it rests on. */
function inventoryOf(question: Question): StrategyContext['inventory'] {
  const priced = INPUTS.inventory | INPUTS.mid
  return {
    get ntzs() {
      return question.share(INPUTS.inventory).ntzs
    },
    get usd() {
      return question.share(INPUTS.inventory).usd
    },
    get usdShare() {
      return question.share(priced).usdShare
    },
    get target() {
      return question.source(0).state.config.inventory.target
    },
    get imbalance() {
      return question.share(priced).imbalance
    },
    get totalTzs() {
      return question.share(priced).totalTzs
    },
  }
}

function markoutsOf(question: Question): StrategyContext['markouts'] {
  const on = (side: Side) => markoutsOn(question.source(INPUTS.markouts).state.flow, side)
  return {
    get bid() {
      return on('bid')
    },
    get ask() {
      return on('ask')
    },
  }
}

/** A strategy in plain JavaScript may hand over anything, also what runs code of its own when it is looked at. */
function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('inWindow and random take text')
  return value
}

function availableIn({ config, rfq }: EngineState): Available | null {
  const { chain } = rfq
  if (config.rfq === null || chain === null) return null
  const stables: Partial<Record<StableAsset, number>> = {}
  const covered = coveredByWallet(chain, config.rfq)
  for (const asset of STABLE_ASSETS) {
    if (config.rfq.tokens[asset] === undefined) continue
    stables[asset] = Number(covered[asset]) / 1e18
  }
  return { ntzs: Number(covered.NTZS) / 1e18, stables }
}

function competitionOn(question: Question, side: Side): CompetitionOnSide {
  return {
    get bestBps() {
      return question.source(INPUTS.competition).state.market.competition[side]?.bps ?? 0
    },
    get ageMs() {
      return ageOnSide(question.source(INPUTS.time), side)
    },
  }
}

function ageOnSide({ state, now, polling }: ContextSource, side: Side): Ms {
  const age = now - (state.market.competition[side]?.seenAt ?? now)
  // The polls that a shell left out because they bring no change would have kept it young.
  return polling === 'engine' ? age : age % pollInterval(state.pacing, state.config.pacing, now, 'publicBid')
}

function standingIn({ state }: ContextSource): StrategyContext['standing'] {
  const { status, confirmed } = state.quoting
  const known = status === 'confirmed' ? confirmed : null
  return {
    bidBps: known?.quoteBid === true ? known.bidBps : null,
    askBps: known?.quoteAsk === true ? known.askBps : null,
  }
}
