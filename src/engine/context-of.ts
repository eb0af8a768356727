import { deepFreeze } from '../base/frozen.ts'
import { seededRandom } from '../base/random.ts'
import type { Ms } from '../base/time.ts'
import { fairValue } from '../market/fair-value.ts'
import { midAge } from '../market/mid-age.ts'
import { STABLE_ASSETS, TO_18_DECIMALS, type StableAsset } from '../money/asset.ts'
import { rateToNumber } from '../money/rate.ts'
import type { Side } from '../money/side.ts'
import { pollInterval } from '../pacing/poll-interval.ts'
import { coveredByWallet } from '../rfq/promised.ts'
import type { Cause, CompetitionOnSide, Promisable, StrategyContext } from '../strategy/context.ts'
import { latestFills } from './count-fill.ts'
import type { EngineState } from './engine-state.ts'
import type { InventoryShare } from './inventory-share.ts'
import type { Turn } from './turn.ts'

/** What a strategy is being asked; the context reads from it. */
export type Question = {
  turn: Turn | null
  share: InventoryShare | null
  cause: Cause
  /** Whether the strategy has looked at anything that changes with time alone. */
  readTime: boolean
}

/**
 * A view of the question's turn: nothing is gathered that the strategy does not look at. The view is frozen with its
 * functions, and what it hands out is either frozen or a copy: a strategy learns from it and changes nothing by it.
 */
export function contextOf(question: Question): StrategyContext {
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
      const { market } = turnOf(question).state
      const fair = fairValue(market)
      return {
        tzsPerUsd: fair === null ? shareOf(question).tzsPerUsd : rateToNumber(fair),
        errorBps: market.estimate?.errorBps ?? 0,
      }
    },
    get inventory() {
      const { ntzs, usd, usdShare, deviation, totalTzs } = shareOf(question)
      const { target } = turnOf(question).state.config.inventory
      return { ntzs, usd, usdShare, target, deviation, totalTzs }
    },
    get recentFills() {
      return latestFills(turnOf(question).state.flow)
    },
    get competition() {
      const { bid, ask } = turnOf(question).state.market.competition
      return { bid: bid === null ? null : competition.bid, ask: ask === null ? null : competition.ask }
    },
    get standing() {
      return standingIn(turnOf(question))
    },
    get protocolFeeBps() {
      const { market, config } = turnOf(question).state
      return market.protocolFeeBps ?? config.fees.protocolFeeBps
    },
    get promisable() {
      return promisableIn(turnOf(question).state)
    },
    get calibration() {
      return deepFreeze(turnOf(question).state.config.calibration?.learned ?? null)
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
      return turnOf(question).state.market.competition[side]?.bps ?? 0
    },
    get ageMs() {
      return ageOnSide(timed(question), side)
    },
  }
}

function ageOnSide({ state, now, looks }: Turn, side: Side): Ms {
  const age = now - (state.market.competition[side]?.seenAt ?? now)
  // Looks that a shell has left out for want of news would have kept it young.
  return looks === 'asked' ? age : age % pollInterval(state.pacing, state.config.pacing, now, 'publicBid')
}

function standingIn({ state }: Turn): StrategyContext['standing'] {
  const { belief, confirmed } = state.quoting
  const known = belief === 'known' ? confirmed : null
  return {
    bidBps: known?.quoteBid === true ? known.bidBps : null,
    askBps: known?.quoteAsk === true ? known.askBps : null,
  }
}

/** The turn, for what changes with time alone. */
function timed(question: Question): Turn {
  question.readTime = true
  return turnOf(question)
}

function turnOf({ turn }: Question): Turn {
  if (turn === null) throw new Error(OVER)
  return turn
}

function shareOf({ share }: Question): InventoryShare {
  if (share === null) throw new Error(OVER)
  return share
}

/** A strategy that has kept its context reads it in `init`, say, or while its parameters are checked. */
const OVER = 'the context is valid only while the strategy is asked'
