import { KILL_WORLDS } from './kill-worlds.ts'

/** So many kills of one world, its processes one after the other. */
export type KillUnit = {
  readonly kind: 'kills'
  readonly world: string
  readonly seed: number
  readonly kills: number
}

/** What a unit opens and checks at its end costs as much as three kills. */
export const MOST_KILLS = 20

/** World after world, so that a few kills are those of all of them. */
export function killUnits(kills: number, firstSeed: number): readonly KillUnit[] {
  const most = Math.min(MOST_KILLS, Math.ceil(kills / KILL_WORLDS.length))
  const count = kills === 0 ? 0 : Math.ceil(kills / most)
  return Array.from({ length: count }, (_, index) => ({
    kind: 'kills' as const,
    world: KILL_WORLDS[index % KILL_WORLDS.length]?.name ?? '',
    seed: firstSeed + Math.floor(index / KILL_WORLDS.length),
    kills: Math.min(most, kills - index * most),
  }))
}
