import type { Drill } from './drill.ts'
import { doublePeak, feedFrozen, midLies, oneSidedRush, zombieWrite } from './nights/market-nights.ts'
import { clockJump, daemonKilled, diskFull, guardRestarted } from './nights/process-nights.ts'
import { railStuck } from './nights/rail-stuck.ts'
import { chainReorganised, foreignWithdrawal, keyLost, leak, venueDown } from './nights/venue-nights.ts'

/** Every bad night, in the order of the report. Each call creates a night that was not played yet. */
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
