import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Which event of the journal a tape is known to hold up to: what a restart has to complete. */
export type TapeMarker = {
  /** The last event whose rows are on disk; 0 = none. */
  readonly seq: () => number
  /** Remembers it on disk; whole or as it was. */
  readonly move: (seq: number) => Promise<void>
}

const FILE = 'recorded.json'

export function createTapeMarker(folder: string): TapeMarker {
  const path = join(folder, FILE)
  let known = read(path)
  return {
    seq: () => known,
    async move(seq) {
      if (seq === known) return
      await writeFile(`${path}.part`, JSON.stringify({ seq }))
      await rename(`${path}.part`, path)
      known = seq
    },
  }
}

/** A marker that is not there or cannot be read marks nothing: rows may then come twice, never not at all. */
function read(path: string): number {
  try {
    const { seq } = JSON.parse(readFileSync(path, 'utf8')) as { seq?: unknown }
    return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? seq : 0
  } catch {
    return 0
  }
}
