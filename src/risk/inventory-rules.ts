import { formatAmount } from '../money/amount.ts'
import { ASSETS, type Asset } from '../money/asset.ts'
import type { Finding } from './finding.ts'
import type { RiskInput } from './risk-input.ts'
import type { InventoryLimits } from './risk-settings.ts'

/** An asset outside its limits closes the side that would take it further out. */
export function inventoryRules({ position }: RiskInput, limits: InventoryLimits, out: Finding[]): void {
  for (const asset of ASSETS) {
    const limit = limits[asset]
    if (limit === undefined) continue
    const held = position[asset]
    // The bid buys shillings and sells dollars; the ask sells shillings and buys dollars.
    if (limit.min !== null && held <= limit.min)
      out.push(finding(asset, held, limit.min, 'min', asset === 'NTZS' ? 'ask-off' : 'bid-off'))
    if (limit.max !== null && held >= limit.max)
      out.push(finding(asset, held, limit.max, 'max', asset === 'NTZS' ? 'bid-off' : 'ask-off'))
  }
}

function finding(
  asset: Asset,
  held: bigint,
  limit: bigint,
  which: 'min' | 'max',
  effect: 'bid-off' | 'ask-off',
): Finding {
  return {
    rule: 'inventory-limit',
    effect,
    limit: `${which} ${formatAmount(limit, asset)} ${asset}`,
    actual: formatAmount(held, asset),
    message: `${asset} is ${which === 'min' ? 'at or under its minimum' : 'at or over its maximum'}; lifts when it is back inside`,
  }
}
