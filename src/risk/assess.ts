import { reconciliationRules, lossRules } from './rules/accounting-rules.ts'
import { feedRules, midRules } from './rules/market-rules.ts'
import { fillRules, flowRules, inventoryRules } from './rules/trading-rules.ts'
import type { RuleBreach } from './rule-breach.ts'
import type { RiskInput } from './risk-input.ts'
import type { InventoryLimits, RiskSettings } from './risk-settings.ts'
import { venueRules } from './rules/venue-rules.ts'

/** Every rule's say on the state of things, most serious first. Empty = nothing to say. */
export function assess(input: RiskInput, settings: RiskSettings, limits: InventoryLimits): RuleBreach[] {
  const findings: RuleBreach[] = []
  venueRules(input, findings)
  fillRules(input, settings, findings)
  lossRules(input, settings, findings)
  reconciliationRules(input, settings, findings)
  if (input.strategySuspended !== null) {
    findings.push({
      rule: 'strategy-suspended',
      effect: 'safe',
      limit: 'a quote',
      actual: input.strategySuspended,
      message: `${input.strategySuspended}; mend the strategy and reload, or resume to try it again`,
    })
  }
  if (input.paused !== null) {
    findings.push({
      rule: 'paused',
      effect: 'safe',
      limit: 'running',
      actual: input.paused,
      message: `${input.paused}; lifts with resume`,
    })
  }
  if (input.leaving) {
    const message = 'the daemon is shutting down and leaves the safe quote'
    findings.push({ rule: 'shutdown', effect: 'safe', limit: 'running', actual: 'leaving', message })
  }
  midRules(input, settings, findings)
  feedRules(input, settings, findings)
  flowRules(input, settings, findings)
  inventoryRules(input, limits, findings)
  return findings.sort((a, b) => RANK[a.effect] - RANK[b.effect])
}

const RANK: Readonly<Record<RuleBreach['effect'], number>> = {
  halt: 0,
  safe: 1,
  reduce: 2,
  'bid-off': 3,
  'ask-off': 3,
}
