import type { RuleBreach } from '../rule-breach.ts'
import type { RiskInput } from '../risk-input.ts'
import type { InventoryLimits, ReviewLimits, RiskSettings } from '../risk-settings.ts'
import { SIDES } from '../../../base/money/side.ts'
import { type Asset, formatAmount } from '../../../base/money/asset.ts'

/** A fill at a price that no quote of ours explains, and a review that is due. */
export function fillRules(
  { fillBreach, reviewDue }: RiskInput,
  settings: RiskSettings,
  out: RuleBreach[],
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
      message: `${reviewDue} since the last review (risk.reviewAfter); review the fills, then resume`,
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

/** Too many fills, too much volume, too many errors in a row. */
export function flowRules(input: RiskInput, settings: RiskSettings, out: RuleBreach[]): void {
  if (settings.maxFillsPerMinute !== null && input.fillsLastMinute > settings.maxFillsPerMinute) {
    out.push({
      rule: 'fills-per-minute',
      effect: 'reduce',
      limit: `${settings.maxFillsPerMinute}`,
      actual: `${input.fillsLastMinute}`,
      message: 'more fills in a minute than risk.maxFillsPerMinute; lifts when the minute has passed',
    })
  }
  if (settings.maxVolumePerDayUsd !== null) {
    for (const side of SIDES) {
      if (input.volumeLastDayUsd[side] <= settings.maxVolumePerDayUsd) continue
      out.push({
        rule: 'volume-per-day',
        effect: `${side}-off`,
        limit: `${settings.maxVolumePerDayUsd / 10n ** 18n} USD`,
        actual: `${input.volumeLastDayUsd[side] / 10n ** 18n} USD`,
        message: `the ${side} traded more than risk.maxVolumePerDayUsd in 24 hours`,
      })
    }
  }
  if (input.errorCycles >= settings.errorCyclesThreshold) {
    out.push({
      rule: 'error-cycles',
      effect: 'safe',
      limit: `${settings.errorCyclesThreshold}`,
      actual: `${input.errorCycles}`,
      message: 'consecutive requests failed; lifts when the venue answers again',
    })
  }
}

/** An asset outside its limits closes the side that would move it further out. */
export function inventoryRules(input: RiskInput, limits: InventoryLimits, out: RuleBreach[]): void {
  assetRule('NTZS', input, limits.NTZS, out)
  assetRule('USDC', input, limits.USDC, out)
  assetRule('USDT', input, limits.USDT, out)
  assetRule('USDT.bnb', input, limits['USDT.bnb'], out)
}

function assetRule(asset: Asset, input: RiskInput, limit: InventoryLimits[Asset], out: RuleBreach[]): void {
  if (limit === undefined) return
  const held = input.position[asset]
  // The bid buys shillings and sells dollars; the ask sells shillings and buys dollars.
  if (limit.min !== null && held <= limit.min)
    out.push(finding(asset, held, limit.min, 'min', asset === 'NTZS' ? 'ask-off' : 'bid-off'))
  if (limit.max !== null && held >= limit.max)
    out.push(finding(asset, held, limit.max, 'max', asset === 'NTZS' ? 'bid-off' : 'ask-off'))
}

function finding(
  asset: Asset,
  held: bigint,
  limit: bigint,
  which: 'min' | 'max',
  effect: 'bid-off' | 'ask-off',
): RuleBreach {
  return {
    rule: 'inventory-limit',
    effect,
    limit: `${which} ${formatAmount(limit)} ${asset}`,
    actual: formatAmount(held),
    message: `${asset} is ${which === 'min' ? 'at or under its minimum' : 'at or over its maximum'}; lifts when it is back inside`,
  }
}
