import { colourOf } from './colours.js'
import { numberText } from './number-text.js'

const LARGEST_RADIUS = 8
const SMALLEST_RADIUS = 1.2
/** With less room than this for each circle, in pixels across, they all shrink, but not to less than this share. */
const ROOM = 2
const LEAST = 0.45
const NEAR = 14

/** Fills as circles whose area goes with their dollars: blue at the bid, red at the ask, hollow when synthetic. */
export function createMarkers(packed, columns) {
  const [t, price, usd, flags] = [packed.t, packed.price, packed.usd, packed.flags].map((i) => columns[i])
  const largest = usd.reduce((most, dollars) => Math.max(most, dollars ?? 0), 0)
  // Large ones first, so that small ones are not covered.
  const order = Uint32Array.from(t.keys()).sort((a, b) => (usd[b] ?? 0) - (usd[a] ?? 0))

  function draw(u) {
    const { ctx, bbox } = u
    const pixel = uPlot.pxRatio
    const [from, to] = [u.scales.x.min, u.scales.x.max]
    const seen = order.filter((i) => t[i] >= from && t[i] <= to)
    const crowd = Math.max(LEAST, Math.min(1, Math.sqrt(bbox.width / pixel / ROOM / seen.length)))
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    ctx.lineWidth = 1.25 * pixel
    ctx.setLineDash([])
    for (const i of seen) {
      const share = Math.sqrt((usd[i] ?? 0) / (largest || 1))
      const radius = Math.max(SMALLEST_RADIUS, LARGEST_RADIUS * crowd * share)
      const colour = flags[i] & 1 ? 'blue' : 'red'
      ctx.beginPath()
      ctx.arc(u.valToPos(t[i], 'x', true), u.valToPos(price[i], 'y', true), radius * pixel, 0, 2 * Math.PI)
      if (flags[i] & 2) {
        ctx.strokeStyle = colourOf(colour, 0.9)
        ctx.stroke()
      } else {
        ctx.fillStyle = colourOf(colour, 0.55)
        ctx.fill()
      }
    }
    ctx.restore()
  }

  /** The fill under the pointer, in words; empty where there is none. */
  function near(u) {
    const { left, top } = u.cursor
    let nearest = -1
    let distance = NEAR
    for (let i = 0; i < t.length; i++) {
      const x = u.valToPos(t[i], 'x') - left
      if (Math.abs(x) > distance) continue
      const away = Math.hypot(x, u.valToPos(price[i], 'y') - top)
      if (away > distance) continue
      nearest = i
      distance = away
    }
    if (nearest < 0) return ''
    const kind = `${flags[nearest] & 2 ? 'Synthetic fill' : 'Fill'} at the ${flags[nearest] & 1 ? 'bid' : 'ask'}`
    return `${kind}: ${numberText(usd[nearest], 2)} USD at ${numberText(price[nearest], 4)}`
  }

  return { draw, near }
}
