import type { PositionView } from '../../../view/position-view.ts'
import { Column, TableHead } from '../frame/table-head.tsx'
import { decimalText } from '../text/decimal-text.ts'
import { numberText } from '../text/number-text.ts'
import { offZones, type OffZone } from './off-zones.ts'
import { Scales } from './scales.tsx'
import { ShareBar } from './share-bar.tsx'

const ASSETS = ['NTZS', 'USDC', 'USDT', 'USDT.bnb'] as const

/** What is held, and how it hangs against the target. */
export function ScalesPanel({ view }: { readonly view: PositionView }) {
  const { usdShare, deviation } = view.inventory
  const zones = offZones(view)
  return (
    <section class="panel inventory" aria-labelledby="inventory">
      <h2 id="inventory">
        Inventory{' '}
        <span class="unit">
          {usdShare === null ? 'cannot be valued yet' : `${numberText(usdShare * 100, 1)} % dollars`}
          {deviation !== null && `, deviation ${numberText(deviation, 2, true)}`}
        </span>
      </h2>
      <Scales view={view} />
      <ShareBar view={view} />
      {zones.length > 0 && <p class="note">{zones.map(zoneText).join('; ')}.</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label="Holdings">
        <Holdings view={view} />
      </div>
    </section>
  )
}

function Holdings({ view }: { readonly view: PositionView }) {
  const { balances, pool, wallet, bounds } = view
  const held = ASSETS.filter((asset) => balances[asset] !== undefined)
  const hasLimits = held.some((asset) => bounds.inventory[asset] !== undefined)
  if (held.length === 0) return <p class="note">No balances yet.</p>
  return (
    <table class="holdings">
      <TableHead>
        <Column>Token</Column>
        <Column number>Held</Column>
        <Column number>Pool</Column>
        <Column number>Wallet</Column>
        {hasLimits && <Column number>Limits</Column>}
      </TableHead>
      <tbody>
        {held.map((asset) => (
          <tr key={asset}>
            <th scope="row">{asset}</th>
            <td class="number" title={balances[asset]}>
              {decimalText(balances[asset], 2)}
            </td>
            <td class="number">{decimalText(pool[asset], 2)}</td>
            <td class="number">{decimalText(wallet[asset], 2)}</td>
            {hasLimits && <td class="number">{limitsText(bounds.inventory[asset])}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function limitsText(limit: PositionView['bounds']['inventory']['NTZS']): string {
  if (limit === undefined) return '–'
  const { min, max } = limit
  return [min === null ? null : `≥ ${decimalText(min, 0)}`, max === null ? null : `≤ ${decimalText(max, 0)}`]
    .filter((text) => text !== null)
    .join(' ')
}

function zoneText({ side, from, to, why }: OffZone): string {
  return `${side} off ${side === 'ask' ? `above ${percent(from)}` : `below ${percent(to)}`}: ${why}`
}

function percent(share: number): string {
  return `${numberText(share * 100, 0)} %`
}
