import type { Cause, CompetitionOnSide, Promisable, StrategyContext } from '../../strategy/context.ts'
import type { StrategyMemory } from '../../strategy/memory.ts'
import type { InventoryShare } from './inventory-share.ts'
import type { Transition } from '../transition.ts'
import { deepFreeze } from '../../base/frozen.ts'
import { seededRandom } from '../../base/random.ts'
import type { Ms } from '../../base/time.ts'
import { fairValue } from '../../market/fair-value.ts'
import { midAge } from '../../market/market-state.ts'
import { STABLE_ASSETS, TO_18_DECIMALS, type StableAsset } from '../../money/asset.ts'
import { rateToNumber } from '../../money/rate.ts'
import type { Side } from '../../money/side.ts'
import { pollInterval } from '../../pacing/poll-schedule.ts'
import { coveredByWallet } from '../../rfq/commitment.ts'
import { latestFills } from '../accounting/flow.ts'
import type { EngineState } from '../model/state.ts'

/** What a context is made of: a transition has all of it. */
export type ContextSource = Pick<Transition, 'state' | 'now' | 'seq' | 'calendar' | 'polling'>

/**
 * Shows a strategy all that it may know, one and the same object every time, valid during the call. It
 * notes whether the strategy looked at anything that changes with time alone. If it did not, and left its
 * own memory as it was, then asking again before the next news would bring the same answer: that is what
 * lets a backtest skip quiet time without changing one decision.
 */
export type ContextProvider = {
  /** The context of this transition; asking begins. */
  readonly show: (source: ContextSource, share: InventoryShare, cause: Cause) => StrategyContext
  /** Asking has ended. */
  readonly close: (memory: StrategyMemory) => void
  /** Whether the answer to the last question may be another one though nothing happens. */
  readonly changesWithTime: () => boolean
}

export function createContextProvider(): ContextProvider {
  const question: Question = { source: null, share: null, cause: 'start', readTime: false }
  const context = contextOf(question)
  let changed = false
  let recalled: Recalled | null = null
  return {
    show(source, share, cause) {
      question.source = source
      question.share = share
      question.cause = cause
      question.readTime = false
      changed = true
      recalled = source.polling === 'simulated' ? recallMemory(source.state.strategy.memory) : null
      return context
    },
    close(memory) {
      question.source = null
      question.share = null
      changed = recalled === null || !recalled.isStill(memory)
    },
    changesWithTime: () => question.readTime || changed,
  }
}

/** What a strategy is being asked; the context reads from it. */
type Question = {
  source: ContextSource | null
  share: InventoryShare | null
  cause: Cause
  /** Whether the strategy has looked at anything that changes with time alone. */
  readTime: boolean
}

/**
 * A view of the question's source: nothing is gathered that the strategy does not look at. The view is frozen with its
 * functions, and what it hands out is either frozen or a copy: a strategy learns from it and changes nothing by it.
 */
function contextOf(question: Question): StrategyContext {
  const competition = { bid: competitionOn(question, 'bid'), ask: competitionOn(question, 'ask') }
  return deepFreeze<StrategyContext>({
    get now() {
      return timed(question).now
    },
    get cause() {
      question.readTime = true
      return question.cause
    },
    get mid() {
      return shareOf(question).tzsPerUsd
    },
    get midAgeMs() {
      const { state, now } = timed(question)
      return midAge(state.market, now)
    },
    get fairValue() {
      const { market } = sourceOf(question).state
      const fair = fairValue(market)
      return {
        tzsPerUsd: fair === null ? shareOf(question).tzsPerUsd : rateToNumber(fair),
        errorBps: market.estimate?.errorBps ?? 0,
      }
    },
    get inventory() {
      const { ntzs, usd, usdShare, deviation, totalTzs } = shareOf(question)
      const { target } = sourceOf(question).state.config.inventory
      return { ntzs, usd, usdShare, target, deviation, totalTzs }
    },
    get recentFills() {
      return latestFills(sourceOf(question).state.flow)
    },
    get competition() {
      const { bid, ask } = sourceOf(question).state.market.competition
      return { bid: bid === null ? null : competition.bid, ask: ask === null ? null : competition.ask }
    },
    get standing() {
      return standingIn(sourceOf(question))
    },
    get protocolFeeBps() {
      const { market, config } = sourceOf(question).state
      return market.protocolFeeBps ?? config.fees.protocolFeeBps
    },
    get promisable() {
      return promisableIn(sourceOf(question).state)
    },
    get calibration() {
      return deepFreeze(sourceOf(question).state.config.calibration?.learned ?? null)
    },
    inWindow(cron, timezone) {
      const { calendar, now } = timed(question)
      return calendar(text(cron), text(timezone), now)
    },
    random: (label) => seededRandom(timed(question).seq, text(label)),
  })
}

/** A strategy in plain JavaScript may hand over anything, also what runs code of its own when it is looked at. */
function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('inWindow and random take text')
  return value
}

function promisableIn({ config, rfq }: EngineState): Promisable | null {
  const { chain } = rfq
  if (config.rfq === null || chain === null) return null
  const stables: Partial<Record<StableAsset, number>> = {}
  const covered = coveredByWallet(chain, config.rfq)
  for (const asset of STABLE_ASSETS) {
    if (config.rfq.tokens[asset] === undefined) continue
    stables[asset] = Number(covered[asset] * TO_18_DECIMALS[asset]) / 1e18
  }
  return { ntzs: Number(covered.NTZS) / 1e18, stables }
}

function competitionOn(question: Question, side: Side): CompetitionOnSide {
  return {
    get bestBps() {
      return sourceOf(question).state.market.competition[side]?.bps ?? 0
    },
    get ageMs() {
      return ageOnSide(timed(question), side)
    },
  }
}

function ageOnSide({ state, now, polling }: ContextSource, side: Side): Ms {
  const age = now - (state.market.competition[side]?.seenAt ?? now)
  // The polls that a shell left out because they bring no change would have kept it young.
  return polling === 'engine' ? age : age % pollInterval(state.pacing, state.config.pacing, now, 'publicBid')
}

function standingIn({ state }: ContextSource): StrategyContext['standing'] {
  const { belief, confirmed } = state.quoting
  const known = belief === 'known' ? confirmed : null
  return {
    bidBps: known?.quoteBid === true ? known.bidBps : null,
    askBps: known?.quoteAsk === true ? known.askBps : null,
  }
}

/** The source, for what changes with time alone. */
function timed(question: Question): ContextSource {
  question.readTime = true
  return sourceOf(question)
}

function sourceOf({ source }: Question): ContextSource {
  if (source === null) throw new Error(OVER)
  return source
}

function shareOf({ share }: Question): InventoryShare {
  if (share === null) throw new Error(OVER)
  return share
}

/** A strategy that has kept its context reads it in `init`, say, or while its parameters are checked. */
const OVER = 'the context is valid only while the strategy is asked'

/** What a strategy's memory was, to be held against what it is. */
type Recalled = { readonly isStill: (memory: StrategyMemory) => boolean }

/**
 * Remembers a memory made of plain values, with those of wrapped strategies. Null where it is anything
 * deeper: then nobody can cheaply tell whether it changed, and it counts as changed.
 */
function recallMemory(memory: StrategyMemory | null): Recalled | null {
  const values: unknown[] = []
  if (memory === null || !collect(memory, values)) return null
  return {
    isStill(now) {
      const later: unknown[] = []
      if (!collect(now, later) || later.length !== values.length) return false
      return later.every((value, index) => Object.is(value, values[index]))
    },
  }
}

/** Names and values in their order; false where something is not a plain value. */
function collect({ own, inner }: StrategyMemory, out: unknown[]): boolean {
  if (typeof own !== 'object' || own === null) out.push(own)
  else {
    for (const key in own) {
      const value = (own as Readonly<Record<string, unknown>>)[key]
      if (typeof value === 'object' && value !== null) return false
      out.push(key, value)
    }
  }
  for (const label in inner) {
    const wrapped = inner[label]
    out.push(label)
    if (wrapped === undefined || !collect(wrapped, out)) return false
  }
  return true
}
