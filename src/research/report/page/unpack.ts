import type { Chart, Figure } from '../figures/figure.ts'

/**
 * A column of numbers: times as doubles of milliseconds; values as doubles too, or a plain array with null for each
 * gap.
 */
export type PageColumn = Float64Array | (number | null)[]

/** The type of a chart's part as unpacked on the page. */
export type OnPage<Part> = Part extends Float64Array
  ? PageColumn
  : Part extends Uint8Array
    ? Uint8Array
    : { readonly [Key in keyof Part]: OnPage<Part[Key]> }

export type PageChart<One extends Chart = Chart> = One extends Chart
  ? Pick<Figure, 'id' | 'unit' | 'digits'> & OnPage<One>
  : never

type PageCharts = {
  /** From the first to the last time of any chart over time, milliseconds. */
  readonly window: readonly [number, number]
  readonly charts: readonly PageChart[]
}

/** Replaces a column in the header; its bytes begin at `at`. */
export type ColumnHead = {
  readonly column: 'time' | 'value' | 'flags'
  readonly at: number
  readonly count: number
  readonly base: number
  readonly step: number
}

/** Returns the charts that `packCharts` wrote: base64 of gzip of a header in JSON and the columns' bytes. */
export async function unpackPage(base64: string): Promise<PageCharts> {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  const begin = 4 + new DataView(bytes.buffer).getUint32(0, true)
  const columnOf = (head: ColumnHead): PageColumn | Uint8Array => {
    const part = bytes.subarray(begin + head.at)
    if (head.column === 'flags') return part.subarray(0, head.count)
    return head.column === 'time' ? timesOf(head, part) : valuesOf(head, part)
  }
  const header = new TextDecoder().decode(bytes.subarray(4, begin))
  return JSON.parse(header, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'column' in value ? columnOf(value as ColumnHead) : value,
  ) as PageCharts
}

function timesOf({ count, base, step }: ColumnHead, part: Uint8Array): Float64Array {
  let steps = 0
  return Float64Array.from(wordsOf(count, part), (difference) => base + (steps += difference) * step)
}

function valuesOf({ count, base }: ColumnHead, part: Uint8Array): Float64Array | (number | null)[] {
  const offsets = new Float32Array(wordsOf(count, part).buffer)
  if (!offsets.some(Number.isNaN)) return Float64Array.from(offsets, (offset) => base + offset)
  return Array.from(offsets, (offset) => (Number.isNaN(offset) ? null : base + offset))
}

/** Returns 32-bit words from bytes grouped by significance: all lowest bytes first. */
function wordsOf(count: number, part: Uint8Array): Uint32Array<ArrayBuffer> {
  const byte = (place: number, i: number) => (part[place * count + i] ?? 0) << (8 * place)
  return Uint32Array.from({ length: count }, (_, i) => byte(0, i) | byte(1, i) | byte(2, i) | byte(3, i))
}
