import type { Finding } from './finding.ts'
import type { RiskInput } from './risk-input.ts'
import type { ReviewLimits, RiskSettings } from './risk-settings.ts'

/** Fills at a price that no quote of ours explains, and more of them than a machine may do unwatched. */
export function fillRules(
  { fillBreach, reviewDue }: RiskInput,
  settings: RiskSettings,
  out: Finding[],
): void {
  if (fillBreach !== null) {
    const worse = `${fillBreach.worseBps.toFixed(1)} bps`
    out.push({
      rule: 'fill-price',
      effect: 'halt',
      limit: `${settings.maxFillPriceDeviationBps ?? 'off'} bps`,
      actual: worse,
      message: `fill ${fillBreach.id} cost ${worse} more than the quote least favourable to us, fee included; ask the venue what it executed, then resume`,
    })
  }
  const limits = settings.reviewAfter ?? null
  if (reviewDue !== null && limits !== null) {
    out.push({
      rule: 'review',
      effect: 'safe',
      limit: limitText(limits),
      actual: reviewDue,
      message: `${reviewDue} since a person last looked (risk.reviewAfter); look at the fills, then resume`,
    })
  }
}

function limitText({ fills, sameSideFills, usd }: ReviewLimits): string {
  const parts = [
    fills === null ? [] : [`${fills} fills`],
    sameSideFills === null ? [] : [`${sameSideFills} of one side`],
    usd === null ? [] : [`${usd / 10n ** 18n} USD`],
  ]
  return parts.flat().join(', ')
}
