import type { DrillName } from './catalogue.ts'
import type { SandboxOptionsInput } from '../sandbox/options.ts'
import type { DrilledPosition } from './model/drilled-position.ts'
import type { DrillResult } from './drill.ts'
import type { Thresholds } from './model/verdict.ts'
import { playDrill } from './play-drill.ts'
import type { Program } from './stage/launcher.ts'

type DrillRun = {
  readonly names: readonly DrillName[]
  /** How many nights are played at once; each has a daemon of its own. */
  readonly parallel: number
  readonly program: Program
  readonly thresholds: Thresholds
  /** What the simulated venue does unlike the configuration has it; empty = nothing. */
  readonly like: SandboxOptionsInput
  readonly onResult: (result: DrillResult) => void
}

/** Plays the nights, some at once, and gives their results in the order of `names`. */
export async function runDrills(position: DrilledPosition, run: DrillRun): Promise<readonly DrillResult[]> {
  const results = new Map<DrillName, DrillResult>()
  const waiting = [...run.names]
  async function playNext(): Promise<void> {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const result = await playDrill(name, position, run)
      results.set(name, result)
      run.onResult(result)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, run.parallel) }, playNext))
  return run.names.flatMap((name) => results.get(name) ?? [])
}
