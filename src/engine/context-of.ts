import { invariant } from '../base/invariant.ts'
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

/** A view of the question's turn: nothing is gathered that the strategy does not look at. */
export function contextOf(question: Question): StrategyContext {
  const competition = { bid: competitionOn(question, 'bid'), ask: competitionOn(question, 'ask') }
  return {
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
      return turnOf(question).state.config.calibration?.learned ?? null
    },
    inWindow(cron, timezone) {
      const { calendar, now } = timed(question)
      return calendar(cron, timezone, now)
    },
    random: (label) => seededRandom(timed(question).seq, label),
  }
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
  invariant(turn !== null, 'a context is read while its strategy is asked')
  return turn
}

function shareOf({ share }: Question): InventoryShare {
  invariant(share !== null, 'a context is read while its strategy is asked')
  return share
}
