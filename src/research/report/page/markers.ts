import type uPlot from 'uplot'
import { colourOf } from '../../../base/charts/colours.ts'
import type { Markers } from '../figures/figure.ts'
import { readoutText } from './readout.ts'
import type { OnPage, PageColumn } from './unpack.ts'

const LARGEST_RADIUS = 8
const SMALLEST_RADIUS = 1.2
/** If each circle has less room than this, in pixels across, all of them shrink, but only down to this share. */
const ROOM = 2
const LEAST = 0.45
const NEAR = 14
const AT_BID = 1
const SYNTHETIC = 2

export type FillMarkers = ReturnType<typeof createMarkers>

/** Fills as circles, the area in proportion to their dollars: blue at the bid, red at the ask, hollow when synthetic. */
export function createMarkers(markers: OnPage<Markers>) {
  const numbers = (column: PageColumn) => Float64Array.from(column, (value) => value ?? Number.NaN)
  const [t, price, usd] = [numbers(markers.t), numbers(markers.price), numbers(markers.usd)]
  const { flags } = markers
  const dollars = (i: number) => usd[i] || 0
  const largest = usd.reduce((most, each) => Math.max(most, each || 0), 0)
  // Large ones first, so that small ones are not covered.
  const order = Uint32Array.from(t.keys()).sort((a, b) => dollars(b) - dollars(a))
  const is = (flag: number, i: number) => ((flags[i] ?? 0) & flag) !== 0

  function draw(u: uPlot): void {
    const { ctx, bbox } = u
    const pixel = devicePixelRatio
    const { min = -Infinity, max = Infinity } = u.scales['x'] ?? {}
    const seen = order.filter((i) => (t[i] ?? 0) >= min && (t[i] ?? 0) <= max)
    const crowd = Math.max(LEAST, Math.min(1, Math.sqrt(bbox.width / pixel / ROOM / seen.length)))
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    ctx.lineWidth = 1.25 * pixel
    ctx.setLineDash([])
    for (const i of seen) {
      const radius = Math.max(
        SMALLEST_RADIUS,
        LARGEST_RADIUS * crowd * Math.sqrt(dollars(i) / (largest || 1)),
      )
      ctx.beginPath()
      const [x, y] = [u.valToPos(t[i] ?? 0, 'x', true), u.valToPos(price[i] ?? 0, 'y', true)]
      ctx.arc(x, y, radius * pixel, 0, 2 * Math.PI)
      paint(ctx, is(AT_BID, i) ? 'blue' : 'red', is(SYNTHETIC, i))
    }
    ctx.restore()
  }

  /** Returns the fill under the pointer in words; empty = no fill. */
  function near(u: uPlot): string {
    const { left = 0, top = 0 } = u.cursor
    let nearest = -1
    let distance = NEAR
    for (const [i, time] of t.entries()) {
      const x = u.valToPos(time, 'x') - left
      if (Math.abs(x) > distance) continue
      const away = Math.hypot(x, u.valToPos(price[i] ?? 0, 'y') - top)
      if (away > distance) continue
      nearest = i
      distance = away
    }
    if (nearest < 0) return ''
    const kind = `${is(SYNTHETIC, nearest) ? 'Synthetic fill' : 'Fill'} at the ${is(AT_BID, nearest) ? 'bid' : 'ask'}`
    return `${kind}: ${readoutText(usd[nearest], 2)} USD at ${readoutText(price[nearest], 4)}`
  }

  return { draw, near }
}

function paint(ctx: CanvasRenderingContext2D, colour: string, isHollow: boolean): void {
  if (isHollow) {
    ctx.strokeStyle = colourOf(colour, 0.9)
    ctx.stroke()
  } else {
    ctx.fillStyle = colourOf(colour, 0.55)
    ctx.fill()
  }
}
