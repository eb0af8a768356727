/**
 * Reads what pack-charts.ts wrote: the window of time, the charts, and their columns of numbers. A time
 * column is a Float64Array of milliseconds; a value column too, or a plain array with null for each hole.
 */
export async function unpack(base64) {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  let at = 4 + new DataView(bytes.buffer).getUint32(0, true)
  const { window, charts, columns } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)))
  return {
    window,
    charts,
    columns: columns.map((head) => {
      const length = head.count * (head.kind === 'flags' ? 1 : 4)
      const part = bytes.subarray(at, at + length)
      at += length
      return head.kind === 'flags' ? part : head.kind === 'time' ? timesOf(head, part) : valuesOf(head, part)
    }),
  }
}

function timesOf({ count, base, step }, part) {
  const differences = wordsOf(count, part)
  let steps = 0
  return Float64Array.from(differences, (difference) => base + (steps += difference) * step)
}

function valuesOf({ count, base }, part) {
  const offsets = new Float32Array(wordsOf(count, part).buffer)
  if (!offsets.some(Number.isNaN)) return Float64Array.from(offsets, (offset) => base + offset)
  return Array.from(offsets, (offset) => (Number.isNaN(offset) ? null : base + offset))
}

/** 32-bit words from bytes that are laid out by place: all lowest ones first. */
function wordsOf(count, part) {
  return Uint32Array.from(
    { length: count },
    (_, i) => part[i] | (part[count + i] << 8) | (part[2 * count + i] << 16) | (part[3 * count + i] << 24),
  )
}
