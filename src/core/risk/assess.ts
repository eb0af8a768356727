import { reconciliationRules, lossRules } from './rules/accounting-rules.ts'
import { feedRules, midRules } from './rules/market-rules.ts'
import { fillRules, flowRules, inventoryRules, stopRules } from './rules/trading-rules.ts'
import type { RuleBreach } from './rule-breach.ts'
import type { RiskInput } from './risk-input.ts'
import type { InventoryLimits, RiskSettings } from './risk-settings.ts'
import { venueRules } from './rules/venue-rules.ts'

/** Returns the breached rules, the most serious first. */
export function assess(input: RiskInput, settings: RiskSettings, limits: InventoryLimits): RuleBreach[] {
  const breaches: RuleBreach[] = []
  venueRules(input, breaches)
  fillRules(input, settings, breaches)
  lossRules(input, settings, breaches)
  reconciliationRules(input, settings, breaches)
  stopRules(input, breaches)
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
