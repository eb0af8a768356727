import type { PositionView } from '../../../view/position-view.ts'

const PIVOT = { x: 180, y: 34 }
const ARM = 112
const STEEPEST_DEGREES = 16

/** A balance: shillings in the left pan, dollars in the right one. It hangs level on target. */
export function Scales({ view }: { readonly view: PositionView }) {
  const { deviation } = view.inventory
  // Steeper near the target, as a good balance is: a tenth off shows.
  const degrees = Math.sign(deviation ?? 0) * Math.abs(deviation ?? 0) ** 0.7 * STEEPEST_DEGREES
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
