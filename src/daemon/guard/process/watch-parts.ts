import type { Ms } from '../../../base/time.ts'
import type { GuardReport } from '../notices/report.ts'
import type { Watched } from '../position/grants.ts'
import type { Kept } from '../position/record.ts'
import type { LeaseRows } from '../position/lease-rows.ts'
import type { VenueWindow } from '../position/venue-window.ts'
import type { PositionSettings } from './settings.ts'
import type { VenueHand, VenueTraffic } from './venue-hand.ts'

export type WatchClock = { readonly now: () => Ms; readonly wall: () => Ms }

export type WatchParts = {
  readonly settings: PositionSettings
  readonly kept: Kept
  /** `traffic` is to learn of every request that leaves, and of every answer. */
  readonly openHand: (traffic: VenueTraffic) => VenueHand
  readonly report: Omit<GuardReport, 'acknowledge' | 'tick' | 'waiting'>
  readonly clock: WatchClock
  /** The record has changed and has to be on disk. */
  readonly onChange: () => void
  /** What the lease rows in PostgreSQL show; null = the daemon's store is a folder. */
  readonly rows: LeaseRows | null
}

/** A position whose record was taken up, with its way to the venue. */
export type Acting = WatchParts & {
  readonly watched: Watched
  readonly window: VenueWindow
  readonly hand: VenueHand
}
