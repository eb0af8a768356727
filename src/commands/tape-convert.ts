import { measureTape } from '../tape/summary/summary.ts'
import { openTape } from '../tape/folder/open-tape.ts'
import { readRows } from '../tape/folder/merge-tapes.ts'
import { copyTape } from './copy-tape.ts'
import { EXIT_CODE } from './exit-code.ts'
import { fail, type Voice } from './say.ts'

/** Writes a tape again in the other form: text where `to` ends in .jsonl, otherwise a folder of Parquet files. */
export async function tapeConvert(from: string, to: string, voice: Voice): Promise<void> {
  const opened = openTape(from, { decisions: true })
  if (!opened.ok) return fail(voice, EXIT_CODE.usage, opened.error)
  const source = opened.value
  const total = measureTape(from).rows
  await copyTape({ rows: readRows(source), total, problems: source.problems, repeated: () => 0 }, to, voice)
}
