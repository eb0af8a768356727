import { seededRandom } from '../base/random.ts'
import { midAge } from '../market/mid-age.ts'
import type { Side } from '../money/side.ts'
import type { Cause, CompetitionOnSide, StrategyContext } from '../strategy/context.ts'
import { latestFills } from './count-fill.ts'
import type { InventoryShare } from './inventory-share.ts'
import type { Turn } from './turn.ts'

/** What the strategy is told: everything it may know, nothing it could break. */
export function buildContext(turn: Turn, share: InventoryShare, cause: Cause): StrategyContext {
  const { state, now, seq, calendar } = turn
  const { market, quoting, config } = state
  const { tzsPerUsd, ...inventory } = share
  const confirmed = quoting.belief === 'known' ? quoting.confirmed : null
  return {
    now,
    cause,
    mid: tzsPerUsd,
    midAgeMs: midAge(market, now),
    fairValue: { tzsPerUsd, errorBps: 0 },
    inventory: { ...inventory, target: config.inventory.target },
    recentFills: latestFills(state.flow),
    competition: { bid: competitionOn(turn, 'bid'), ask: competitionOn(turn, 'ask') },
    standing: {
      bidBps: confirmed?.quoteBid === true ? confirmed.bidBps : null,
      askBps: confirmed?.quoteAsk === true ? confirmed.askBps : null,
    },
    protocolFeeBps: market.protocolFeeBps ?? config.fees.protocolFeeBps,
    inWindow: (cron, timezone) => calendar(cron, timezone, now),
    random: (label) => seededRandom(seq, label),
  }
}

function competitionOn({ state, now }: Turn, side: Side): CompetitionOnSide | null {
  const seen = state.market.competition[side]
  return seen === null ? null : { bestBps: seen.bps, ageMs: now - seen.seenAt }
}
