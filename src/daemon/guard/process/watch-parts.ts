import type { Ms } from '../../../base/time.ts'
import type { GuardReport } from '../notices/report.ts'
import type { Watched } from '../position/grants.ts'
import type { GuardRecord } from '../position/record.ts'
import type { LeaseRows } from '../position/lease-rows.ts'
import type { VenueWindow } from '../position/venue-window.ts'
import type { PositionSettings } from './settings.ts'
import type { GuardVenue, VenueTraffic } from './guard-venue.ts'

export type WatchClock = { readonly now: () => Ms; readonly wall: () => Ms }

export type WatchParts = {
  readonly settings: PositionSettings
  readonly kept: GuardRecord
  /** `traffic` is notified of every request and every answer. */
  readonly openClient: (traffic: VenueTraffic) => GuardVenue
  readonly report: Omit<GuardReport, 'acknowledge' | 'tick' | 'waiting'>
  readonly clock: WatchClock
  /** The record has changed and must be saved. */
  readonly onChange: () => void
  /** The lease rows in PostgreSQL; null = the store is a folder. */
  readonly rows: LeaseRows | null
}

/** A position with its restored record and its access to the venue. */
export type Acting = WatchParts & {
  readonly watched: Watched
  readonly window: VenueWindow
  readonly client: GuardVenue
}
