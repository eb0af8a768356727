import { encodeJson } from '../../src/base/codec.ts'
import { errorText } from '../../src/base/result.ts'
import type { FaultDay, FaultWorld } from './fault-world.ts'
import { runKills } from './kills/run-kills.ts'
import { keyOf, seedOf, type Unit, type UnitResult } from './plan.ts'
import { worldOf } from './worlds/all.ts'

/** So many seeds a canary has until it counts as missed, each a third of a day. */
export const CANARY_SEEDS = 12
const CANARY_HOURS = 8

/** Lives a unit. Never rejects: what does not hold is its result. */
export async function runUnit(what: Unit): Promise<UnitResult> {
  const began = performance.now()
  const before = process.threadCpuUsage()
  const { kind, world: name } = what
  const seed = seedOf(what)
  const lived = what.kind === 'kills' ? await runKills(what) : await liveUnit(what)
  const { user, system } = process.threadCpuUsage(before)
  const ms = Math.round(performance.now() - began)
  const cpuMs = Math.round((user + system) / 1_000)
  return { key: keyOf(what), kind, world: name, seed, ...lived, ms, cpuMs }
}

async function liveUnit(what: Exclude<Unit, { kind: 'kills' }>): Promise<Lived> {
  const world = worldOf(what.world)
  if (world === undefined) return { ...NOTHING, failure: `there is no world ${what.world}` }
  if (what.kind === 'canary') return findCanary(world, what.canary)
  return what.keepsJournal === true ? liveJournalled(world, what.day) : liveDay(world, what.day)
}

type Lived = Pick<UnitResult, 'faults' | 'seen' | 'failure' | 'journal'>
const NOTHING = { faults: {}, seen: {}, failure: null }

export async function liveDay(world: FaultWorld, day: FaultDay): Promise<Lived> {
  try {
    return { ...(await world.live(day)), failure: null }
  } catch (error) {
    return { ...NOTHING, failure: errorText(error) }
  }
}

/** The day again, with every event of its core where it fails. */
async function liveJournalled(world: FaultWorld, day: FaultDay): Promise<Lived> {
  let read: (() => readonly object[]) | null = null
  try {
    return { ...(await world.live(day, (journal) => void (read = journal))), failure: null }
  } catch (error) {
    const events: readonly object[] = (read as (() => readonly object[]) | null)?.() ?? []
    const failure = errorText(error)
    return events.length === 0
      ? { ...NOTHING, failure }
      : { ...NOTHING, failure, journal: events.map(encodeJson) }
  }
}

/** Plants the bug in one seed after the other until its invariant reports it. */
async function findCanary(world: FaultWorld, name: string): Promise<Lived> {
  const canary = world.canaries.find((one) => one.name === name)
  if (canary === undefined) return { ...NOTHING, failure: `${world.name} has no canary ${name}` }
  const without = world.faults.filter((fault) => !canary.needs.includes(fault))
  const others = new Set<string>()
  const { from = 1 } = canary
  for (let seed = from; seed < from + CANARY_SEEDS; seed++) {
    const { failure } = await liveDay(world, { seed, without, hours: CANARY_HOURS, canary: name })
    if (failure === null) continue
    if (canary.finds.test(failure)) return { ...NOTHING, seen: { [name]: seed } }
    others.add(failure)
  }
  const found =
    others.size === 0 ? 'nothing was found' : `found instead: ${[...others].slice(0, 3).join('; ')}`
  return { ...NOTHING, failure: `the planted bug ${name} is missed in ${CANARY_SEEDS} seeds; ${found}` }
}
