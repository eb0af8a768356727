import type { ColumnHead, PackedChart, PackedCharts } from '../packed-charts.ts'

/**
 * A column of numbers: times as doubles of milliseconds; values as doubles too, or a plain array with null for each
 * hole; flags as bytes.
 */
export type PageColumn = Float64Array | Uint8Array | (number | null)[]

type PageCharts = {
  readonly window: readonly [number, number]
  readonly charts: readonly PackedChart[]
  readonly columns: readonly PageColumn[]
}

/** Reads what `packCharts` wrote: base64 of gzip of a header in JSON and the columns' bytes. */
export async function unpackPage(base64: string): Promise<PageCharts> {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  let at = 4 + new DataView(bytes.buffer).getUint32(0, true)
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at))) as PackedCharts
  const columns = header.columns.map((head): PageColumn => {
    const length = head.count * (head.kind === 'flags' ? 1 : 4)
    const part = bytes.subarray(at, at + length)
    at += length
    if (head.kind === 'flags') return part
    return head.kind === 'time' ? timesOf(head, part) : valuesOf(head, part)
  })
  return { window: header.window, charts: header.charts, columns }
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

/** 32-bit words from bytes that are laid out by place: all lowest ones first. */
function wordsOf(count: number, part: Uint8Array): Uint32Array<ArrayBuffer> {
  const byte = (place: number, i: number) => (part[place * count + i] ?? 0) << (8 * place)
  return Uint32Array.from({ length: count }, (_, i) => byte(0, i) | byte(1, i) | byte(2, i) | byte(3, i))
}
