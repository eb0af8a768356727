import type { PositionView } from '../../../view/position-view.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { Panel } from '../panel.tsx'
import { capitalised, shownDecimal, numberText } from '../text.ts'
import { type OffZone, offZones } from './off-zones.ts'
import { useWidth } from '../live/hooks.ts'
import { TreasuryBands } from './treasury-bands.tsx'

const ASSETS = ['NTZS', 'USDC', 'USDT', 'USDT.bnb'] as const

/** Holdings, and their imbalance against the target. */
export function ScalesPanel(props: { readonly position: string; readonly view: PositionView }) {
  const { position, view } = props
  const { usdShare, imbalance } = view.inventory
  const zones = offZones(view)
  return (
    <Panel
      id="inventory"
      class="inventory"
      title="Inventory"
      unit={
        <>
          {usdShare === null ? 'cannot be valued yet' : `${numberText(usdShare * 100, 1)} % dollars`}
          {imbalance !== null && `, imbalance ${numberText(imbalance, 2, true)}`}
        </>
      }
    >
      <Scales view={view} />
      <ShareBar view={view} />
      {zones.length > 0 && <p class="note">{capitalised(zones.map(zoneText).join('; '))}.</p>}
      <TreasuryBands position={position} />
      <Holdings view={view} />
    </Panel>
  )
}

function Holdings({ view }: { readonly view: PositionView }) {
  const { balances, pool, wallet, bounds } = view
  const held = ASSETS.filter((asset) => balances[asset] !== undefined)
  if (held.length === 0) return <p class="note">No balances yet.</p>
  const columns: readonly Column<(typeof ASSETS)[number]>[] = [
    { title: 'Token', kind: 'head', cell: (asset) => asset },
    {
      title: 'Held',
      kind: 'number',
      cell: (asset) => shownDecimal(balances[asset], 2),
      hint: (asset) => balances[asset],
    },
    { title: 'Pool', kind: 'number', cell: (asset) => shownDecimal(pool[asset], 2) },
    { title: 'Wallet', kind: 'number', cell: (asset) => shownDecimal(wallet[asset], 2) },
    { title: 'Limits', kind: 'number', cell: (asset) => limitsText(bounds.inventory[asset]) },
  ]
  const hasLimits = held.some((asset) => bounds.inventory[asset] !== undefined)
  return (
    <DataTable
      label="Holdings"
      class="holdings"
      columns={hasLimits ? columns : columns.slice(0, -1)}
      rows={held}
      keyOf={(asset) => asset}
    />
  )
}

function limitsText(limit: PositionView['bounds']['inventory']['NTZS']): string {
  if (limit === undefined) return '–'
  const { min, max } = limit
  return [
    min === null ? null : `≥ ${shownDecimal(min, 0)}`,
    max === null ? null : `≤ ${shownDecimal(max, 0)}`,
  ]
    .filter((text) => text !== null)
    .join(' ')
}

function zoneText({ side, from, to, why }: OffZone): string {
  return `${side} off ${side === 'ask' ? `above ${percent(from)}` : `below ${percent(to)}`} dollars: ${why}`
}

function percent(share: number): string {
  return `${numberText(share * 100, 0)} %`
}

const PIVOT = { x: 180, y: 34 }
const ARM = 112
const STEEPEST_DEGREES = 16

/** A balance: shillings in the left pan, dollars in the right one. It hangs level on target. */
function Scales({ view }: { readonly view: PositionView }) {
  const { imbalance } = view.inventory
  // Steeper near the target, so that a deviation of a tenth is visible.
  const degrees = Math.sign(imbalance ?? 0) * Math.abs(imbalance ?? 0) ** 0.7 * STEEPEST_DEGREES
  const radians = (degrees * Math.PI) / 180
  const reach = { x: ARM * Math.cos(radians), y: ARM * Math.sin(radians) }
  const dollars = (['USDC', 'USDT', 'USDT.bnb'] as const)
    .map((asset) => view.balances[asset])
    .filter((text) => text !== undefined && Number(text) !== 0).length
  return (
    <svg class="scales" viewBox="0 0 360 150" aria-hidden="true">
      <path class="post" d={`M${PIVOT.x} ${PIVOT.y}V140M140 140h80`} />
      <path class="plumb" d={`M${PIVOT.x} ${PIVOT.y - 6}V8`} />
      <g class="beam" style={{ transform: `rotate(${degrees.toFixed(2)}deg)` }}>
        <path d={`M${PIVOT.x - ARM} ${PIVOT.y}H${PIVOT.x + ARM}`} />
        <path class="needle" d={`M${PIVOT.x} ${PIVOT.y}V10`} />
        <circle cx={PIVOT.x} cy={PIVOT.y} r={5} />
      </g>
      <Pan x={PIVOT.x - reach.x} y={PIVOT.y - reach.y} label="shillings" side="left" empty={false} />
      <Pan x={PIVOT.x + reach.x} y={PIVOT.y + reach.y} label="dollars" side="right" empty={dollars === 0} />
    </svg>
  )
}

type PanProps = {
  readonly x: number
  readonly y: number
  readonly label: string
  readonly side: string
  readonly empty: boolean
}

function Pan({ x, y, label, side, empty }: PanProps) {
  return (
    <g class={`pan ${side} ${empty ? 'empty' : ''}`} style={{ transform: `translate(${x}px, ${y}px)` }}>
      <path class="cord" d="M0 0L-34 56M0 0L34 56" />
      <path class="dish" d="M-42 56H42A42 20 0 0 1 -42 56z" />
      <text x={0} y={50} text-anchor="middle">
        {label}
      </text>
    </g>
  )
}

const HEIGHT = 64
const TRACK = { y: 22, height: 14 }

/** The share of dollars along a line, with the target and the ranges in which a side is off. */
function ShareBar({ view }: { readonly view: PositionView }) {
  const { ref, width } = useWidth()
  const { usdShare, target } = view.inventory
  const zones = offZones(view)
  const margin = 8
  const place = (share: number) => margin + share * (width - 2 * margin)
  return (
    <div class="sharebar" ref={ref}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <rect
            class="track"
            x={margin}
            width={width - 2 * margin}
            y={TRACK.y}
            height={TRACK.height}
            rx={3}
          />
          {zones.map(({ from, to, side, why }) => (
            <g key={`${side}${why}`} class="zone">
              <rect x={place(from)} width={place(to) - place(from)} y={TRACK.y} height={TRACK.height} />
              <path d={`M${place(side === 'ask' ? from : to)} ${TRACK.y - 5}v${TRACK.height + 10}`} />
            </g>
          ))}
          {(['bid', 'ask'] as const)
            .filter((side) => zones.some((zone) => zone.side === side))
            .map((side) => (
              <text
                key={side}
                class="zone-text"
                x={place(side === 'ask' ? 1 : 0)}
                y={TRACK.y - 8}
                text-anchor={side === 'ask' ? 'end' : 'start'}
              >
                {side} off
              </text>
            ))}
          <path class="target" d={`M${place(target)} ${TRACK.y - 6}v${TRACK.height + 12}`} />
          <text class="target-text" x={place(target)} y={HEIGHT - 4} text-anchor="middle">
            target {numberText(target * 100, 0)} %
          </text>
          <text x={margin} y={HEIGHT - 4}>
            0 %
          </text>
          <text x={width - margin} y={HEIGHT - 4} text-anchor="end">
            100 % dollars
          </text>
          {usdShare !== null && (
            <path class="here" d={`M${place(usdShare)} ${TRACK.y + TRACK.height + 1}l-7 -12v-9h14v9z`} />
          )}
        </svg>
      )}
    </div>
  )
}
