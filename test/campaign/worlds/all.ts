import type { FaultWorld } from '../fault-world.ts'
import { ANSWERS } from './answers.ts'
import { CUSTODY } from './custody.ts'
import { GUARD } from './guard/guard-world.ts'
import { HANDOVER } from './handover/handover-world.ts'
import { POOL } from './pool.ts'
import { TREASURY } from './treasury.ts'

/** In the order of the page. */
export const WORLDS: readonly FaultWorld[] = [POOL, CUSTODY, TREASURY, GUARD, HANDOVER]

/** Twelve days of a campaign: a day in self-custody computes for as long as three of the others. */
export const ROUND: readonly string[] = [
  POOL.name,
  TREASURY.name,
  GUARD.name,
  HANDOVER.name,
  POOL.name,
  TREASURY.name,
  GUARD.name,
  CUSTODY.name,
  POOL.name,
  TREASURY.name,
  GUARD.name,
  HANDOVER.name,
]

export function worldOf(name: string): FaultWorld | undefined {
  return [...WORLDS, ANSWERS].find((world) => world.name === name)
}
