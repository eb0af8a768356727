import { halts, type RuleBreach, safe } from '../rule-breach.ts'
import type { RiskInput } from '../risk-input.ts'
import type { InventoryLimits, ReviewLimits, RiskSettings } from '../risk-settings.ts'
import { SIDES } from '../../../base/money/side.ts'
import { type Asset, ASSETS, formatAmount } from '../../../base/money/asset.ts'

/** A fill at a price that no quote of ours explains, and a review that is due. */
export function fillRules(
  { fillBreach, reviewDue }: RiskInput,
  settings: RiskSettings,
  out: RuleBreach[],
): void {
  if (fillBreach !== null) {
    const worse = `${fillBreach.worseBps.toFixed(1)} bps`
    const message = `fill ${fillBreach.id} cost ${worse} more than our least favourable quote, fee included; ask the venue what it executed, then resume`
    out.push(halts('fill-price', `${settings.maxFillPriceDeviationBps ?? 'off'} bps`, worse, message))
  }
  const limits = settings.reviewAfter
  if (reviewDue !== null && limits !== null) {
    const message = `${reviewDue} since the last review (risk.reviewAfter); review the fills, then resume`
    out.push(safe('review', limitText(limits), reviewDue, message))
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

/** Rules about stops of the position: a suspended strategy, a pause, a missing lease, a shutdown or a deactivation. */
export function stopRules(input: RiskInput, out: RuleBreach[]): void {
  const { strategySuspended, paused, guardObstacle } = input
  if (strategySuspended !== null) {
    const message = `${strategySuspended}; repair the strategy and reload, or resume to try it again`
    out.push(safe('strategy-suspended', 'a quote', strategySuspended, message))
  }
  if (paused !== null) out.push(safe('paused', 'running', paused, `${paused}; lifts with resume`))
  if (guardObstacle !== null) out.push(safe('guard', 'a lease', 'none', guardObstacle))
  if (input.shuttingDown) {
    const message = 'the daemon is shutting down and leaves the safe quote'
    out.push(safe('shutdown', 'running', 'leaving', message))
  }
  if (input.deactivating) {
    const message = 'a deactivation was ordered: both sides stay wide until it has ended'
    out.push(safe('deactivating', 'in the market', 'leaving', message))
  }
}

/** Rules about too many fills, too much volume and too many errors in a row. */
export function flowRules(input: RiskInput, settings: RiskSettings, out: RuleBreach[]): void {
  if (settings.maxFillsPerMinute !== null && input.fillsLastMinute > settings.maxFillsPerMinute) {
    out.push({
      rule: 'fills-per-minute',
      effect: 'reduce',
      limit: `${settings.maxFillsPerMinute}`,
      actual: `${input.fillsLastMinute}`,
      message: 'more fills per minute than risk.maxFillsPerMinute; lifts when the minute has passed',
    })
  }
  if (settings.maxVolumePerDayUsd !== null) {
    for (const side of SIDES) {
      if (input.volumeLastDayUsd[side] <= settings.maxVolumePerDayUsd) continue
      out.push({
        rule: 'volume-per-day',
        effect: `${side}-off`,
        limit: `${formatAmount(settings.maxVolumePerDayUsd)} USD`,
        actual: `${formatAmount(input.volumeLastDayUsd[side])} USD`,
        message: `the ${side} traded more than risk.maxVolumePerDayUsd in 24 hours; lifts when enough of it is older`,
      })
    }
  }
  if (input.errorCycles >= settings.errorCyclesThreshold) {
    const message = 'consecutive requests failed; lifts when the venue answers again'
    out.push(safe('error-cycles', `${settings.errorCyclesThreshold}`, `${input.errorCycles}`, message))
  }
}

/** An asset outside its limits closes the side that would move it further out. */
export function inventoryRules(input: RiskInput, limits: InventoryLimits, out: RuleBreach[]): void {
  for (const asset of ASSETS) assetRule(asset, input, limits[asset], out)
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
