import { measureOnce } from '../harness/measure.ts'
import { batchesOf } from '../tape/batches.ts'
import { drawTape, type TapeChoice } from '../tape/draw-tape.ts'
import { OPENING, recompute } from '../tape/recompute.ts'
import { checkExact, runTape, type Quoting } from '../tape/run-tape.ts'
import type { EngineRun } from './judge.ts'

/** The backtester in process with the tape in memory: what is printed is the last of so many runs, and must be exact. */
async function main(choice: TapeChoice, runs: number, quoting: Quoting): Promise<EngineRun> {
  const tape = drawTape(choice)
  const exact = recompute(tape)
  const batches = [...batchesOf(tape, exact.ownBps)]
  let last = await measureOnce(() => runTape(batches, quoting))
  for (let run = 1; run < runs; run++) last = await measureOnce(() => runTape(batches, quoting))
  checkExact(tape, exact, last.value, quoting)
  const { held, fills } = last.value
  return {
    cpuSeconds: last.cpuMs / 1_000,
    wallSeconds: last.wallMs / 1_000,
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1_024),
    fills,
    lots: Number(held.USDC - OPENING.usd * 10n ** 18n) / 1e20,
    cash: decimal(held.NTZS - OPENING.shillings * 10n ** 18n),
  }
}

/** 18 decimals, all of them. */
function decimal(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(19, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`
}

const [choice = '', runs = '1', quoting = 'steady'] = process.argv.slice(2)
console.log(JSON.stringify(await main(JSON.parse(choice) as TapeChoice, Number(runs), quoting as Quoting)))
