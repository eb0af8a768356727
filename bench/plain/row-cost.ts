import { measureBest } from '../harness/measure.ts'
import { batchesOf } from '../tape/batches.ts'
import { drawTape } from '../tape/draw-tape.ts'
import { recompute } from '../tape/recompute.ts'
import { bigintLoop } from './bigint-loop.ts'
import { plainRows } from './plain-rows.ts'

const MIDS = 200_000
const ROUNDS = 5

/**
 * Nanoseconds that a row of the walk costs the plain loop on this machine now: what other benches hold their figures
 * against, so that a slower machine is not taken for slower code.
 */
export async function plainRowNs(): Promise<number> {
  const tape = drawTape({ kind: 'walk', mids: MIDS, takerEvery: 200, stepMs: 6_000 })
  const rows = plainRows(tape, [...batchesOf(tape, recompute(tape).ownBps)])
  const { plain } = await measureBest(ROUNDS, { plain: () => bigintLoop(rows) })
  return (1e6 * plain.cpuMs) / rows.length
}
