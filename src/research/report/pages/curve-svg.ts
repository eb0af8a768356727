import { markup, type Markup } from '../../../base/text/markup.ts'

/** The quote at one inventory: the strategy's target, and risk's approval of it. */
export type CurvePoint = {
  /** -1 = all shillings, 0 = on target, 1 = all dollars. */
  readonly inventory: number
  readonly wanted: { readonly bidBps: number | null; readonly askBps: number | null }
  readonly bidBps: number | null
  readonly askBps: number | null
}

const WIDTH = 720
const HEIGHT = 420
const EDGE = { left: 60, right: 70, top: 48, bottom: 52 }
const TICKS = 5

const STYLE = {
  html: `
text{font:13px system-ui,sans-serif;fill:#1b1f24}.title{font-weight:600;font-size:15px}.note{fill:#59636e;font-size:12px}
.paper{fill:#fff}.grid{stroke:#d5dbe1}.bid{stroke:#0969da;fill:none;stroke-width:2.5}.ask{stroke:#b35900;fill:none;stroke-width:2.5}
.bidName{fill:#0969da}.askName{fill:#b35900}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9aa4af}.paper{fill:#0d1117}.grid{stroke:#3d444d}.bid{stroke:#58a6ff}.ask{stroke:#ffa657}.bidName{fill:#58a6ff}.askName{fill:#ffa657}}`,
}

/** Draws bid and ask over the inventory as one self-contained SVG file; a line has a gap where its side is off. */
export function curveSvg(title: string, points: readonly CurvePoint[]): string {
  const values = points.flatMap(({ bidBps, askBps }) => [bidBps, askBps]).filter((bps) => bps !== null)
  const [low, high] = rangeOf(values)
  const [from, to] = [points[0]!.inventory, points.at(-1)!.inventory]
  const x = (inventory: number) =>
    EDGE.left + ((inventory - from) / (to - from)) * (WIDTH - EDGE.left - EDGE.right)
  const y = (bps: number) =>
    HEIGHT - EDGE.bottom - ((bps - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom)
  const across = Array.from({ length: TICKS }, (_, i) => from + ((to - from) * i) / (TICKS - 1))
  const up = Array.from({ length: TICKS }, (_, i) => low + ((high - low) * i) / (TICKS - 1))
  const { html } =
    markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">
<title>${title}</title><style>${STYLE}</style><rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>
<text class="title" x="16" y="26">${title}</text>
${up.map((bps) => markup`<line class="grid" x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${place(y(bps))}" y2="${place(y(bps))}"/><text x="${EDGE.left - 8}" y="${place(y(bps))}" dy="4" text-anchor="end">${bps.toFixed(0)}</text>`)}
${across.map((one) => markup`<text x="${place(x(one))}" y="${HEIGHT - EDGE.bottom + 20}" text-anchor="middle">${one.toFixed(2)}</text>`)}
<text class="note" x="${WIDTH / 2}" y="${HEIGHT - 10}" text-anchor="middle">inventory: -1 all shillings, 0 on target, 1 all dollars; half-spreads in bps</text>
${lineOf('bid', points, ({ bidBps }) => bidBps, { x, y })}
${lineOf('ask', points, ({ askBps }) => askBps, { x, y })}
</svg>
`
  return html
}

type Scales = { readonly x: (inventory: number) => number; readonly y: (bps: number) => number }

/** Returns the line of a side, in pieces, with its name at its last point. */
function lineOf(
  side: 'bid' | 'ask',
  points: readonly CurvePoint[],
  bpsOf: (point: CurvePoint) => number | null,
  { x, y }: Scales,
): Markup | null {
  const pieces: string[][] = [[]]
  let last: readonly [number, number] | null = null
  for (const point of points) {
    const bps = bpsOf(point)
    if (bps === null) {
      if (pieces.at(-1)!.length > 0) pieces.push([])
      continue
    }
    last = [x(point.inventory), y(bps)]
    pieces.at(-1)!.push(`${place(last[0])},${place(last[1])}`)
  }
  if (last === null) return null
  const drawn = pieces.filter(({ length }) => length > 0)
  return markup`${drawn.map((piece) => markup`<polyline class="${side}" points="${piece.join(' ')}"/>`)}<text class="${side}Name" x="${place(last[0] + 8)}" y="${place(last[1])}" dy="4">${side}</text>`
}

function rangeOf(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 100]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const margin = Math.max(5, (high - low) * 0.08)
  return [Math.max(0, low - margin), high + margin]
}

function place(value: number): string {
  return value.toFixed(1)
}
