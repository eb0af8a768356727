import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { measureOnce } from '../harness/measure.ts'
import { bigintLoop } from '../plain/bigint-loop.ts'
import { plainRows } from '../plain/plain-rows.ts'
import { batchesOf, rowsOf } from './batches.ts'
import { drawTape, type TapeChoice } from './draw-tape.ts'
import { recompute } from './recompute.ts'
import { checkExact, runTape } from './run-tape.ts'

/** What a run costs that is the first one of its process, when nothing is compiled yet. */
export type FirstRun = { readonly rows: number; readonly cpuMs: number; readonly plainCpuMs: number }

/** The best of several new processes. */
export async function firstRunOf(choice: TapeChoice, processes: number): Promise<FirstRun> {
  const runs: FirstRun[] = []
  for (let i = 0; i < processes; i++) {
    const words = [import.meta.filename, JSON.stringify(choice)]
    const { stdout } = await promisify(execFile)(process.execPath, words)
    runs.push(JSON.parse(stdout) as FirstRun)
  }
  return {
    rows: runs[0]?.rows ?? 0,
    cpuMs: Math.min(...runs.map(({ cpuMs }) => cpuMs)),
    plainCpuMs: Math.min(...runs.map(({ plainCpuMs }) => plainCpuMs)),
  }
}

async function runFirst(choice: TapeChoice): Promise<FirstRun> {
  const tape = drawTape(choice)
  const exact = recompute(tape)
  const batches = [...batchesOf(tape, exact.ownBps)]
  const rows = plainRows(tape, batches)
  const core = await measureOnce(() => runTape(batches, 'steady'))
  checkExact(tape, exact, core.value, 'steady')
  const plain = await measureOnce(() => bigintLoop(rows))
  return { rows: rowsOf(tape), cpuMs: core.cpuMs, plainCpuMs: plain.cpuMs }
}

const [file, choice] = process.argv.slice(1)
if (file === import.meta.filename && choice !== undefined)
  console.log(JSON.stringify(await runFirst(JSON.parse(choice) as TapeChoice)))
