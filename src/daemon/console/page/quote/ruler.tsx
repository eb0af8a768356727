import type { PositionView } from '../../../view/position-view.ts'
import { useWidth } from '../live/hooks.ts'
import { shownDecimal } from '../text.ts'
import type { QuoteView } from '../../../view/market-view.ts'
import { ladderOf, orderBps, type LadderSide } from './ladder.ts'

const HEIGHT = 216
const AXIS = 136
const NARROW = 560
const PRICE_WIDTH = 66
const NARROW_TICKS: readonly number[] = [50, 200, 500]

/** Our quote or open orders, fair value, competition and bounds on one ruler around the mid. The text next to it has the figures. */
export function Ruler({ view }: { readonly view: PositionView }) {
  const { ref, width } = useWidth()
  const scale = rulerScale(width, view.bounds.maxBps)
  return (
    <div class="ruler" ref={ref}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <Axis scale={scale} view={view} width={width} />
          <Competition scale={scale} view={view} />
          {view.rfq === null
            ? sidesOf(view.quote).map((side) => (
                <Flag key={side.side} scale={scale} side={side} width={width} view={view} />
              ))
            : ladderOf(view.rfq).map((side) => (
                <Ladder key={side.side} scale={scale} side={side} width={width} view={view} />
              ))}
        </svg>
      )}
    </div>
  )
}

type Drawn = { readonly scale: RulerScale; readonly view: PositionView }

function Axis({ scale, view, width }: Drawn & { readonly width: number }) {
  const { minBps, maxBps, safeBps } = view.bounds
  const ticks = RULER_TICKS.filter((bps) => bps <= maxBps && (width > NARROW || NARROW_TICKS.includes(bps)))
  const fair = fairBps(view)
  return (
    <>
      <rect
        class="too-tight"
        x={scale.placeOf(-minBps)}
        y={AXIS - 9}
        width={scale.placeOf(minBps) - scale.placeOf(-minBps)}
        height={18}
      />
      <path class="axis" d={`M${scale.left} ${AXIS}H${scale.right}`} />
      {ticks.flatMap((bps) => [tick(scale, -bps), tick(scale, bps)])}
      {[-1, 1].map((sign) => (
        <g key={sign} class="safe">
          <path d={`M${scale.placeOf(sign * safeBps)} ${AXIS - 16}v32`} />
          <text
            x={scale.placeOf(sign * safeBps)}
            y={AXIS + 46}
            text-anchor={anchorAt(scale.placeOf(sign * safeBps), width)}
          >
            {safeBps === maxBps ? 'safe, max' : 'safe'}
          </text>
        </g>
      ))}
      <path class="mid" d={`M${scale.mid} 26V${AXIS + 14}`} />
      <text class="way" x={scale.left} y={16}>
        ← dollar dearer
      </text>
      <text class="way" x={scale.right} y={16} text-anchor="end">
        dollar cheaper →
      </text>
      <text class="mid-text" x={scale.mid} y={16} text-anchor="middle">
        mid {shownDecimal(view.mid, 2)}
      </text>
      {fair !== null && (
        <path class="fair" d={diamond(scale.placeOf(fair), AXIS)}>
          <title>fair value</title>
        </path>
      )}
    </>
  )
}

function tick(scale: RulerScale, bps: number) {
  const x = scale.placeOf(bps)
  return (
    <g key={bps} class="tick">
      <path d={`M${x} ${AXIS - 4}v8`} />
      <text x={x} y={AXIS + 24} text-anchor="middle">
        {Math.abs(bps)}
      </text>
    </g>
  )
}

function Competition({ scale, view }: Drawn) {
  return (
    <>
      {(['bid', 'ask'] as const).map((side) => {
        const seen = view.competition[side]
        if (seen === null || seen.isOwn) return null
        const x = scale.placeOf(side === 'bid' ? -seen.bps : seen.bps)
        return (
          <g key={side} class="rival">
            <path d={`M${x} ${AXIS + 2}l6 11h-12z`} />
            <path class="stem" d={`M${x} ${AXIS + 13}V${AXIS + 50}`} />
            <text x={x} y={AXIS + 64} text-anchor="middle">
              best {seen.bps}
            </text>
          </g>
        )
      })}
    </>
  )
}

type FlagProps = {
  readonly scale: RulerScale
  readonly side: RulerSide
  readonly width: number
  readonly view: PositionView
}

/** One side of our quote: a flag on the ruler, hollow while its status is unknown. */
function Flag({ scale, side, width, view }: FlagProps) {
  const sign = side.side === 'bid' ? -1 : 1
  const { bps, isOff, wanted } = side
  const price = isOff ? null : priceAt(view.mid, bps, side.side)
  const x = bps === null ? null : scale.placeOf(sign * bps)
  const wantedX = typeof wanted === 'number' ? scale.placeOf(sign * wanted) : null
  return (
    <g class={`flag ${isOff ? 'off' : ''} ${view.quote.status}`}>
      {wantedX !== null && <path class="wanted" d={`M${wantedX} ${AXIS - 1}l6 -12h-12z`} />}
      {x !== null && (
        <>
          <path class="pole" d={`M${x} ${AXIS}V76`} />
          <path class="head" d={`M${x} ${AXIS - 1}l7 -14h-14z`} />
          <text class="bps" x={x} y={66} text-anchor={anchorAt(x, width)}>
            {isOff ? 'off' : bps}
          </text>
          <text class="side" x={x} y={AXIS - 30} {...beside(x, sign, width)}>
            {side.side}
          </text>
          {price !== null && (
            <text class="side" x={x} y={AXIS - 14} {...beside(x, sign, width)}>
              {shownDecimal(price, 2)}
            </text>
          )}
        </>
      )}
    </g>
  )
}

const HIGHEST_RUNG = 44

type LadderProps = Drawn & { readonly side: LadderSide; readonly width: number }

/** The open orders of a side, each as high as its share of the largest remaining amount, with the figures of the best one. */
function Ladder({ scale, side: { side, orders }, width, view }: LadderProps) {
  const sign = side === 'bid' ? -1 : 1
  const [best] = orders
  const bps = best === undefined ? null : orderBps(best, view.mid)
  if (best === undefined || bps === null) return null
  const most = Math.max(...orders.map(({ remainingUsd }) => Number(remainingUsd)), 1)
  const x = scale.placeOf(sign * bps)
  return (
    <g class="flag">
      {orders.map((order) => (
        <path
          key={order.salt}
          class="pole"
          d={`M${scale.placeOf(sign * (orderBps(order, view.mid) ?? 0))} ${AXIS}v-${(HIGHEST_RUNG * Number(order.remainingUsd)) / most}`}
        />
      ))}
      <text class="bps" x={x} y={66} text-anchor={anchorAt(x, width)}>
        {Math.round(bps)}
      </text>
      <text class="side" x={x} y={84} text-anchor={anchorAt(x, width)}>
        {side} {shownDecimal(best.priceTzs, 2)}
      </text>
    </g>
  )
}

function anchorAt(x: number, width: number): 'start' | 'middle' | 'end' {
  if (x < 44) return 'start'
  return x > width - 44 ? 'end' : 'middle'
}

/** Places a text on the outer side of a mark, or on the inner one where the ruler ends. */
function beside(x: number, sign: number, width: number) {
  const isLeft = sign < 0 ? x > PRICE_WIDTH : x > width - PRICE_WIDTH
  return { dx: isLeft ? -10 : 10, 'text-anchor': isLeft ? 'end' : 'start' } as const
}

function diamond(x: number, y: number): string {
  return `M${x} ${y - 6}l6 6l-6 6l-6 -6z`
}

/** A higher price of the dollar means a lower price of the shilling: it is on the bid's side. For the picture only. */
function fairBps({ mid, fairValue }: PositionView): number | null {
  const bps = (1 - Number(fairValue ?? Number.NaN) / Number(mid ?? Number.NaN)) * 10_000
  return Number.isFinite(bps) ? bps : null
}

/** Converts bps around the mid to places along a ruler; negative bps are left of the mid. */
type RulerScale = {
  readonly mid: number
  readonly left: number
  readonly right: number
  readonly placeOf: (bps: number) => number
}

const RULER_TICKS = [10, 25, 50, 100, 200, 350, 500] as const

/**
 * Distances grow with the square root of the bps, so that 60 and 70 are distinguishable and the safe quote at 500 still
 * fits. Larger values are drawn at the end.
 */
export function rulerScale(width: number, maxBps: number): RulerScale {
  const margin = Math.min(28, width * 0.05)
  const mid = width / 2
  const half = mid - margin
  const placeOf = (bps: number) =>
    mid + Math.sign(bps) * half * Math.sqrt(Math.min(Math.abs(bps), maxBps) / maxBps)
  return { mid, left: mid - half, right: mid + half, placeOf }
}

/** One side as last confirmed by the venue: its bps, or why it has none. */
export type RulerSide = {
  readonly side: 'bid' | 'ask'
  readonly bps: number | null
  readonly isOff: boolean
  /** The target if it differs; null = equal, or not decided. */
  readonly wanted: number | 'off' | null
}

/** Both sides of the quote, as far as they are known. */
export function sidesOf({ bidBps, askBps, quoteBid, quoteAsk, target }: QuoteView): readonly RulerSide[] {
  return [
    sideOf('bid', bidBps, quoteBid, target === null ? undefined : target.bidBps),
    sideOf('ask', askBps, quoteAsk, target === null ? undefined : target.askBps),
  ]
}

function sideOf(
  side: 'bid' | 'ask',
  bps: number | null,
  isQuoted: boolean | null,
  target: number | null | undefined,
): RulerSide {
  const isOff = isQuoted === false
  const standing = isOff ? null : bps
  if (target === undefined || target === standing) return { side, bps, isOff, wanted: null }
  return { side, bps, isOff, wanted: target ?? 'off' }
}

const FRACTION_DIGITS = 12

/**
 * Returns the price in TZS per dollar for a taker: a bid buys shillings, so it sells dollars above the mid; an ask buys
 * dollars below it. Exact for whole bps; null without a mid or a quote.
 */
export function priceAt(mid: string | null, bps: number | null, side: 'bid' | 'ask'): string | null {
  if (mid === null || bps === null || !Number.isInteger(bps)) return null
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(mid) ?? []
  if (whole === undefined) return null
  const scaled = BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0').slice(0, FRACTION_DIGITS))
  const parts = BigInt(side === 'bid' ? 10_000 + bps : 10_000 - bps)
  const digits = ((scaled * parts) / 10_000n).toString().padStart(FRACTION_DIGITS + 1, '0')
  return `${digits.slice(0, -FRACTION_DIGITS)}.${digits.slice(-FRACTION_DIGITS)}`
}
