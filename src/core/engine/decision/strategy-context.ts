import type { Cause, CompetitionOnSide, Available, StrategyContext } from '../../strategy/context.ts'
import { refuseOldNames } from '../../strategy/refused-names.ts'
import { INPUTS, type LastQuestion } from './inputs-read.ts'
import type { InventoryShare } from './inventory-share.ts'
import type { Transition } from '../transition.ts'
import { deepFreeze } from '../../../base/frozen.ts'
import { seededRandom } from '../../../base/random.ts'
import type { Ms } from '../../../base/time.ts'
import type { Plot } from '../../strategy/define-strategy.ts'
import { fairValue } from '../../market/fair-value.ts'
import { feedOf } from '../../market/feeds.ts'
import { DEFAULT_TOLERANCE_BPS, NO_CAPITAL_COST } from '../model/config.ts'
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

/** The parts of a transition that a context reads. */
export type ContextSource = Pick<Transition, 'state' | 'now' | 'seq' | 'calendar' | 'data' | 'polling'>

/**
 * Provides everything that a strategy may read. Every call gets the same object, which is valid only during the call. Records
 * which inputs the strategy reads.
 */
export class ContextProvider {
  /** The cause of the decision. */
  cause: Cause = 'start'
  /** True once the strategy has read the estimated gap: the core estimates it from then on. */
  readsFairShift = false
  readonly #context = contextOf(this)
  /** Bits of INPUTS that the strategy has read since it was last asked. */
  #inputs = 0
  #source: ContextSource | null = null
  #share: InventoryShare | null = null

  /** Returns the context of this transition, for a new provider. */
  show(source: ContextSource, share: InventoryShare, cause: Cause): StrategyContext {
    this.cause = cause
    this.#source = source
    this.#share = share
    this.#inputs = 0
    return this.#context
  }

  /** Ends the question: from now on every read of the context throws. Returns what the strategy read; its answer plots `plot`. */
  end(plot?: Plot): LastQuestion {
    const { now: askedAt } = this.source(0)
    this.#source = null
    this.#share = null
    return { askedAt, cause: this.cause, inputs: this.#inputs, plot }
  }

  /** Returns the source and records that these inputs are read. */
  source(inputs: number): ContextSource {
    if (this.#source === null) throw new Error(OVER)
    this.#inputs |= inputs
    return this.#source
  }

  /** Returns the inventory and records that these inputs are read. */
  share(inputs: number): InventoryShare {
    if (this.#share === null) throw new Error(OVER)
    this.#inputs |= inputs
    return this.#share
  }
}

/** For a strategy that kept its context and reads it later, in `init` for example. */
const OVER = 'the context is valid only while the strategy is asked'

/**
 * Returns a view of the provider's source that computes only the inputs that the strategy reads. The view and its functions are
 * frozen, and every value in it is frozen or a copy, so a strategy cannot change state through it.
 */
function contextOf(provider: ContextProvider): StrategyContext {
  const competition = deepFreeze({ bid: competitionOn(provider, 'bid'), ask: competitionOn(provider, 'ask') })
  const inventory = deepFreeze(refuseOldNames('context.inventory', inventoryOf(provider)))
  const context: StrategyContext = {
    get now() {
      return provider.source(INPUTS.time).now
    },
    get cause() {
      provider.source(INPUTS.time)
      return provider.cause
    },
    get mid() {
      return provider.share(INPUTS.mid).tzsPerUsd
    },
    get midAgeMs() {
      return midAgeIn(provider.source(INPUTS.time))
    },
    get fairValue() {
      return fairValueFor(provider)
    },
    get fairShift() {
      return fairShiftFor(provider)
    },
    get feeds() {
      return feedsIn(provider.source(INPUTS.feeds | INPUTS.time))
    },
    get inventory() {
      provider.source(0)
      return inventory
    },
    get recentFills() {
      return latestFills(provider.source(INPUTS.fills).state.flow)
    },
    markouts: deepFreeze(markoutsOf(provider)),
    get competition() {
      return seenOf(competition, provider.source(INPUTS.competition))
    },
    get standing() {
      return standingIn(provider.source(INPUTS.standing))
    },
    get protocolFeeBps() {
      return protocolFeeIn(provider.source(INPUTS.fee))
    },
    get toleranceBps() {
      return provider.source(0).state.config.toleranceBps ?? DEFAULT_TOLERANCE_BPS
    },
    get available() {
      return availableIn(provider.source(INPUTS.available).state)
    },
    get calibration() {
      return deepFreeze(provider.source(0).state.config.calibration?.learned ?? null)
    },
    get data() {
      return dataFor(provider)
    },
    ...functionsOf(provider),
  }
  return deepFreeze(refuseOldNames('context', context))
}

function midAgeIn({ state, now }: ContextSource): number | null {
  return midAge(state.market, now)
}

function protocolFeeIn({ state: { market, config } }: ContextSource): number {
  return market.protocolFeeBps ?? config.fees.protocolFeeBps
}

/** The sides on which a rival was seen. */
function seenOf(
  { bid, ask }: StrategyContext['competition'],
  { state }: ContextSource,
): StrategyContext['competition'] {
  const seen = state.market.competition
  return { bid: seen.bid === null ? null : bid, ask: seen.ask === null ? null : ask }
}

function functionsOf(provider: ContextProvider): Pick<StrategyContext, 'inWindow' | 'random'> {
  return {
    inWindow(cron, timezone) {
      const { calendar, now } = provider.source(INPUTS.time)
      return calendar(text(cron), text(timezone), now)
    },
    random: (label) => seededRandom(provider.source(INPUTS.time).seq, text(label)),
  }
}

function fairShiftFor(provider: ContextProvider): StrategyContext['fairShift'] {
  const { state, now } = provider.source(INPUTS.time | INPUTS.fairValue | INPUTS.mid)
  provider.readsFairShift = true
  return readFairShift(state, now)
}

function fairValueFor(provider: ContextProvider): StrategyContext['fairValue'] {
  const { market } = provider.source(INPUTS.fairValue).state
  const fair = fairValue(market)
  return {
    tzsPerUsd: fair === null ? provider.share(INPUTS.mid).tzsPerUsd : rateToNumber(fair),
    errorBps: market.estimate?.errorBps ?? 0,
  }
}

/** Without data the answer is the same at any time. */
function dataFor(provider: ContextProvider): StrategyContext['data'] {
  const { data } = provider.source(INPUTS.data)
  return data === undefined ? null : data(provider.source(INPUTS.time).now)
}

function feedsIn({ state, now }: ContextSource): StrategyContext['feeds'] {
  const { market, config } = state
  const { reference } = market
  if (config.feeds.length === 0 && reference !== null) {
    const { source, mid, at } = reference
    return [{ name: source, tzsPerUsd: rateToNumber(mid), ageMs: now - at, status: 'live' }]
  }
  return config.feeds.map(({ name }) => {
    const { mid = null, readAt = null, status = 'waiting' } = feedOf(market.feeds, name) ?? {}
    const tzsPerUsd = mid === null ? null : rateToNumber(mid)
    return { name, tzsPerUsd, ageMs: readAt === null ? null : now - readAt, status }
  })
}

/** Amounts depend on fills, shares of the value also on the mid: each member records its own inputs. */
function inventoryOf(provider: ContextProvider): StrategyContext['inventory'] {
  const priced = INPUTS.inventory | INPUTS.mid
  return {
    get ntzs() {
      return provider.share(INPUTS.inventory).ntzs
    },
    get usd() {
      return provider.share(INPUTS.inventory).usd
    },
    get usdShare() {
      return provider.share(priced).usdShare
    },
    get target() {
      return provider.source(0).state.config.inventory.target
    },
    get capitalCost() {
      return { ...NO_CAPITAL_COST, ...provider.source(0).state.config.inventory.capitalCost }
    },
    get imbalance() {
      return provider.share(priced).imbalance
    },
    get totalTzs() {
      return provider.share(priced).totalTzs
    },
  }
}

function markoutsOf(provider: ContextProvider): StrategyContext['markouts'] {
  const on = (side: Side) => markoutsOn(provider.source(INPUTS.markouts).state.flow, side)
  return {
    get bid() {
      return on('bid')
    },
    get ask() {
      return on('ask')
    },
  }
}

/** A strategy in plain JavaScript may pass any value, also an object that runs code when it is read. */
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

function competitionOn(provider: ContextProvider, side: Side): CompetitionOnSide {
  return {
    get bestBps() {
      return provider.source(INPUTS.competition).state.market.competition[side]?.bps ?? 0
    },
    get ageMs() {
      return ageOnSide(provider.source(INPUTS.time), side)
    },
  }
}

function ageOnSide({ state, now, polling }: ContextSource, side: Side): Ms {
  const age = now - (state.market.competition[side]?.seenAt ?? now)
  // A simulating shell skips polls without changes, which would have renewed it.
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
