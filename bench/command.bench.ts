import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { choiceOfTape, LAUNCHER, writeConfig } from './peers/plan.ts'
import { runTimed, type ProcessRun } from './peers/run-engine.ts'
import { preparePeerTape } from './peers/tapes.ts'
import { shortOr } from './harness/short.ts'

const ROUNDS = shortOr(1, 5)
const MIDS = shortOr(20_000, 1_000_000)
const WEEK = join(import.meta.dirname, '../config/backtest.yaml')
const SPREADS = shortOr(2, 20)
const GRID = {
  'strategy.params.halfSpreadBps': Array.from({ length: SPREADS }, (_, i) => 40 + 3 * i),
  'strategy.params.maxSkewBps': Array.from({ length: 10 }, (_, i) => 10 * i),
}

/**
 * Commands as whole processes on all cores, from start to exit, in turns, the best of each: a backtest over a year of mids one per
 * minute and one over `examples/week`, and a sweep of 200 variants over that week on two threads.
 */
export default async function commandBench(): Promise<Record<string, unknown>> {
  const scratch = mkdtempSync(join(tmpdir(), 'mizani-bench-command-'))
  try {
    const { parquet } = await preparePeerTape(scratch, choiceOfTape('year', MIDS), true)
    const sweep = ['sweep', '--config', WEEK, '--grid', JSON.stringify(GRID), '--workers', '2', '--out']
    const words: Record<string, readonly string[]> = {
      year: ['backtest', '--json', '--config', writeConfig(scratch), '--tape', parquet ?? ''],
      week: ['backtest', '--json', '--config', WEEK],
      sweep: [...sweep, join(scratch, 'sweep')],
    }
    const best: Record<string, Seconds> = {}
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, command] of Object.entries(words)) {
        rmSync(join(scratch, 'sweep'), { recursive: true, force: true })
        const run = runTimed([process.execPath, '--disable-sigusr1', LAUNCHER, ...command])
        best[name] = lesser(run, best[name])
      }
    return { variants: SPREADS * 10, seconds: best }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

type Seconds = { readonly wall: number; readonly cpu: number }

function lesser({ wallSeconds, cpuSeconds }: ProcessRun, known?: Seconds): Seconds {
  return {
    wall: Math.min(wallSeconds, known?.wall ?? Infinity),
    cpu: Math.min(cpuSeconds, known?.cpu ?? Infinity),
  }
}
