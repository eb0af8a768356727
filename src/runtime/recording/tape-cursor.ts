import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Up to which event of a journal a tape is known to hold all rows: a restart completes it from there. */
export type TapeCursor = {
  /** Null where nothing is known of this journal on this tape. */
  readonly seq: () => number | null
  /** Remembers it on disk; whole or as it was. Rejects with the error of the file system. */
  readonly moveTo: (seq: number) => Promise<void>
}

const FILE = 'recorded.json'

/**
 * The cursor lies beside the journal that it counts and names the tape: another journal or another tape begins
 * anew. One that is beyond `lastSeq`, the end of the journal, belongs to an older journal.
 */
export function openTapeCursor(storeFolder: string, tapeFolder: string, lastSeq: number): TapeCursor {
  const path = join(storeFolder, FILE)
  const tape = resolve(tapeFolder)
  const found = read(path, tape)
  let known = found === null || found > lastSeq ? null : found
  return {
    seq: () => known,
    async moveTo(seq) {
      if (seq === known) return
      await writeFile(`${path}.part`, JSON.stringify({ tape, seq }))
      await rename(`${path}.part`, path)
      known = seq
    },
  }
}

/** A cursor that is missing or cannot be read is none. */
function read(path: string, expected: string): number | null {
  try {
    const { tape, seq } = JSON.parse(readFileSync(path, 'utf8')) as { tape?: unknown; seq?: unknown }
    return tape === expected && typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 ? seq : null
  } catch {
    return null
  }
}
