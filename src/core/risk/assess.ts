import { reconciliationRules, lossRules } from './rules/accounting-rules.ts'
import { feedRules, midRules } from './rules/market-rules.ts'
import { fillRules, flowRules, inventoryRules } from './rules/trading-rules.ts'
import type { RuleBreach } from './rule-breach.ts'
import type { RiskInput } from './risk-input.ts'
import type { InventoryLimits, RiskSettings } from './risk-settings.ts'
import { venueRules } from './rules/venue-rules.ts'

/** The breached rules, most serious first. */
export function assess(input: RiskInput, settings: RiskSettings, limits: InventoryLimits): RuleBreach[] {
  const breaches: RuleBreach[] = []
  venueRules(input, breaches)
  fillRules(input, settings, breaches)
  lossRules(input, settings, breaches)
  reconciliationRules(input, settings, breaches)
  if (input.strategySuspended !== null) {
    breaches.push({
      rule: 'strategy-suspended',
      effect: 'safe',
      limit: 'a quote',
      actual: input.strategySuspended,
      message: `${input.strategySuspended}; repair the strategy and reload, or resume to try it again`,
    })
  }
  if (input.paused !== null) {
    breaches.push({
      rule: 'paused',
      effect: 'safe',
      limit: 'running',
      actual: input.paused,
      message: `${input.paused}; lifts with resume`,
    })
  }
  if (input.guardObstacle !== null) {
    breaches.push({
      rule: 'guard',
      effect: 'safe',
      limit: 'a lease',
      actual: 'none',
      message: input.guardObstacle,
    })
  }
  if (input.leaving) {
    const message = 'the daemon is shutting down and leaves the safe quote'
    breaches.push({ rule: 'shutdown', effect: 'safe', limit: 'running', actual: 'leaving', message })
  }
  if (input.deactivating) {
    const message = 'a deactivation was ordered: both sides stay wide until it has ended'
    breaches.push({
      rule: 'deactivating',
      effect: 'safe',
      limit: 'in the market',
      actual: 'leaving',
      message,
    })
  }
  midRules(input, settings, breaches)
  feedRules(input, settings, breaches)
  flowRules(input, settings, breaches)
  inventoryRules(input, limits, breaches)
  return breaches.sort((a, b) => RANK[a.effect] - RANK[b.effect])
}

const RANK: Readonly<Record<RuleBreach['effect'], number>> = {
  halt: 0,
  safe: 1,
  reduce: 2,
  'bid-off': 3,
  'ask-off': 3,
}
