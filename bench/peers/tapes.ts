import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { join } from 'node:path'
import type { TapeRow } from '../../src/store/tape/model/row.ts'
import { rowsOfBatch } from '../../src/store/tape/model/batch.ts'
import { writeTape } from '../../src/store/tape/writer/write-tape.ts'
import { batchesOf, rowsOf } from '../tape/batches.ts'
import { drawTape, type DrawnTape, type TapeChoice } from '../tape/draw-tape.ts'
import { recompute, type ExactOutcome } from '../tape/recompute.ts'

/** A tape on disk, and what every engine must make of it. */
export type PeerTape = {
  readonly choice: TapeChoice
  readonly rows: number
  readonly exact: ExactOutcome
  /** mids.i32, takers.i32 (mid, side, bps) and tape.json: the plain numbers, for the peers. */
  readonly folder: string
  /** The same as Parquet, for `mizani backtest`; null where none was asked for. */
  readonly parquet: string | null
}

const DRAWN_BY = ['draw-tape.ts', 'recompute.ts', 'batches.ts'].map((file) =>
  readFileSync(join(import.meta.dirname, '../tape', file)),
)

/** Writes the tape into the scratch folder; one that the same code wrote before is there already. */
export async function preparePeerTape(
  scratch: string,
  choice: TapeChoice,
  needsParquet: boolean,
): Promise<PeerTape> {
  const tape = drawTape(choice)
  const exact = recompute(tape)
  const version = createHash('sha256').update(Buffer.concat(DRAWN_BY)).digest('hex').slice(0, 8)
  const name = [choice.kind, choice.mids, choice.takerEvery ?? 'none', choice.stepMs, version].join('-')
  const folder = join(scratch, 'tapes', name)
  if (!existsSync(folder)) writeNumbers(folder, tape)
  const parquet = join(folder, 'parquet')
  if (needsParquet && !existsSync(parquet)) {
    const written = await writeTape(parquet, rowsIn(tape, exact))
    if (!written.ok) throw new Error(written.error)
  }
  return { choice, rows: rowsOf(tape), exact, folder, parquet: needsParquet ? parquet : null }
}

function writeNumbers(folder: string, { mids, takers, stepMs }: DrawnTape): void {
  if (endianness() !== 'LE')
    throw new Error('the peers read little-endian numbers, and this machine has none')
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  const numbers = new Int32Array(takers.length * 3)
  for (let i = 0; i < takers.length; i++)
    numbers.set([takers.mid[i]!, takers.side[i]!, takers.bps[i]!], 3 * i)
  writeFileSync(join(part, 'mids.i32'), mids)
  writeFileSync(join(part, 'takers.i32'), numbers)
  writeFileSync(join(part, 'tape.json'), JSON.stringify({ stepMs }))
  renameSync(part, folder)
}

function* rowsIn(tape: DrawnTape, { ownBps }: ExactOutcome): Generator<TapeRow, undefined> {
  for (const batch of batchesOf(tape, ownBps)) yield* rowsOfBatch(batch)
}
