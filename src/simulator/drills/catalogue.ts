import type { Drill } from './drill.ts'
import { chainReorganised } from './nights/chain-reorganised.ts'
import { daemonKilled } from './nights/daemon-killed.ts'
import { doublePeak } from './nights/double-peak.ts'
import { guardRestarted } from './nights/guard-restarted.ts'
import { feedFrozen } from './nights/feed-frozen.ts'
import { clockJump, diskFull } from './nights/machine-faults.ts'
import { foreignWithdrawal, leak } from './nights/missing-tokens.ts'
import { keyLost, venueDown } from './nights/venue-gone.ts'
import { midLies } from './nights/mid-lies.ts'
import { oneSidedRush } from './nights/one-sided-rush.ts'
import { railStuck } from './nights/rail-stuck.ts'
import { zombieWrite } from './nights/zombie-write.ts'

/** Every bad night, in the order of the report. Each call makes one that was not played yet. */
export const DRILLS = {
  'venue-down': venueDown,
  'key-lost': keyLost,
  'mid-lies': midLies,
  'feed-frozen': feedFrozen,
  'one-sided-rush': oneSidedRush,
  leak,
  'foreign-withdrawal': foreignWithdrawal,
  'daemon-killed': daemonKilled,
  'guard-restarted': guardRestarted,
  'disk-full': diskFull,
  'clock-jump': clockJump,
  'chain-reorganised': chainReorganised,
  'rail-stuck': railStuck,
  'double-peak': doublePeak,
  'zombie-write': zombieWrite,
} as const satisfies Readonly<Record<string, () => Drill>>

export type DrillName = keyof typeof DRILLS
export const DRILL_NAMES = Object.keys(DRILLS) as readonly DrillName[]
