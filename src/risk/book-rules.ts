import { formatAmount } from '../money/amount.ts'
import { ASSETS } from '../money/asset.ts'
import type { Finding } from './finding.ts'
import type { RiskInput } from './risk-input.ts'
import type { RiskSettings } from './risk-settings.ts'

/** Fills that may be missing and balances nobody can explain: safe at once, halted when they stay. */
export function bookRules(input: RiskInput, settings: RiskSettings, out: Finding[]): void {
  if (input.gapSince === null) return
  const stood = input.now - input.gapSince
  const differs = ASSETS.filter((asset) => (input.unexplained[asset] ?? 0n) !== 0n)
  const actual = differs
    .map((asset) => `${formatAmount(input.unexplained[asset] ?? 0n, asset)} ${asset}`)
    .join(', ')
  if (differs.length > 0 && stood >= settings.unexplainedGraceMs) {
    out.push({
      rule: 'unexplained-balance',
      effect: 'halt',
      limit: '0',
      actual,
      message: `balances are not opening + fills + own transfers (${actual}); look, then resume with --book adjustment, deposit or withdrawal`,
    })
    return
  }
  out.push({
    rule: 'fills-gap',
    effect: 'safe',
    limit: 'complete',
    actual: actual === '' ? input.gapWhy : actual,
    message: `${input.gapWhy}; lifts when fills and balances agree again`,
  })
}
