import type { FaultWorld } from '../fault-world.ts'
import { ANSWERS } from './answers.ts'
import { CUSTODY } from './custody.ts'
import { GUARD } from './guard/guard-world.ts'
import { POOL } from './pool.ts'
import { TREASURY } from './treasury.ts'

/** In the order of the page. */
export const WORLDS: readonly FaultWorld[] = [POOL, CUSTODY, TREASURY, GUARD]

/** Ten days of a campaign: a day in self-custody computes for as long as three of the others. */
export const ROUND: readonly string[] = [
  POOL.name,
  TREASURY.name,
  GUARD.name,
  POOL.name,
  TREASURY.name,
  GUARD.name,
  POOL.name,
  TREASURY.name,
  GUARD.name,
  CUSTODY.name,
]

export function worldOf(name: string): FaultWorld | undefined {
  return [...WORLDS, ANSWERS].find((world) => world.name === name)
}
