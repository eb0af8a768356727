import { err, errorText, ok, type Result } from '../../../src/base/result.ts'
import type { KillsSeen } from '../../e2e/kills/kill-run.ts'
import type { UnitResult } from '../plan.ts'
import type { KillUnit } from './kill-units.ts'
import { killWorldOf, type KillWorld } from './kill-worlds.ts'

/** In fewer kills the lives may be too short for anything to happen. */
const ENOUGH_KILLS = 10
/** A summary is read by people: the file of the failure has all of it. */
const MOST_TEXT = 400

export type RunKillsPorts = {
  readonly worldOf: (name: string) => KillWorld | undefined
  /** Ends what a failed run has left behind. */
  readonly clean: () => Promise<void>
}

/** Kills the processes of a unit, and checks its world then. Never rejects: what does not hold is its result. */
export async function runKills(
  unit: KillUnit,
  { worldOf, clean }: RunKillsPorts = { worldOf: killWorldOf, clean: endProcesses },
): Promise<Pick<UnitResult, 'faults' | 'seen' | 'failure'>> {
  const { seed, kills, world: name } = unit
  const world = worldOf(name)
  let done = 0
  const seen = await attempt(async () => {
    if (world === undefined) throw new Error(`there are no kills of ${name}`)
    return world.kill({ seed, kills, onKill: () => (done += 1) })
  })
  const cleaned = await attempt(clean)
  const failure = seen.ok ? (idleIn(seen.value, kills) ?? (cleaned.ok ? null : cleaned.error)) : seen.error
  return { faults: { 'kill -9': done }, seen: { kills: done, ...(seen.ok ? seen.value : {}) }, failure }
}

async function attempt<T>(work: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return ok(await work())
  } catch (error) {
    return err(errorText(error))
  }
}

/** What should have happened and has not: such a run proves nothing. */
function idleIn(seen: KillsSeen, kills: number): string | null {
  const never = Object.keys(seen).filter((what) => seen[what] === 0)
  return never.length === 0 || kills < ENOUGH_KILLS ? null : `nothing happened in it: 0 ${never.join(', 0 ')}`
}

async function endProcesses(): Promise<void> {
  const { endDaemons } = await import('../../e2e/daemon/running-daemon.ts')
  await endDaemons()
}

/** Its first words, on one line, without where its files are. */
export function shortFailure(failure: string): string {
  const line = failure
    .replace(/^what it has on disk: .*$/m, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > MOST_TEXT ? `${line.slice(0, MOST_TEXT)} ...` : line
}

/** What draws the same kills again; the machine's speed has a part in where they fall. */
export function killsCommand({ world, seed, kills }: Pick<KillUnit, 'world' | 'seed' | 'kills'>): string {
  return `npm run campaign -- --only ${world}:${seed} --kills ${kills}`
}
