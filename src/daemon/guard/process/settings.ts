import type { Ms } from '../../../base/time.ts'
import type { ReportedPosition } from '../notices/report.ts'
import type { GuardRequests } from '../../../venue/wire/guard.ts'
import type { VenueKind } from '../../../venue/wire/kinds.ts'
import type { LadderSettings } from '../position/ladder.ts'
import type { GrantSettings } from '../position/grants.ts'

/** Where a secret is stored. The process reads it itself, and again when the venue rejects it. */
export type SecretPlace = { readonly kind: 'env' | 'file'; readonly where: string }

export type PositionSettings = GrantSettings &
  LadderSettings &
  // The configuration path as given: notifications use the channels of that file.
  ReportedPosition & {
    /** False in a dry run and in self-custody: the guard watches and notifies, but sends nothing to the venue. */
    readonly acts: boolean
    /** Why it does not act; null = it acts. */
    readonly actsNot: string | null
    readonly origin: string
    readonly apiKey: SecretPlace
    readonly writeTimeoutMs: Ms
    readonly slowTimeoutMs: Ms
    /** The venue's request limit for the key. */
    readonly requestsPerMinute: number
    readonly venueKind: VenueKind
    readonly requests: GuardRequests
    readonly hasNotify: boolean
    /** What the daemon does once its guard is silent: sets the safe quote, or continues quoting. */
    readonly whenSilent: 'safe' | 'carry-on'
    /** The database of the daemon's lease rows: a URL without a password, or the place of its secret; null = the store is a folder. */
    readonly database: string | SecretPlace | null
    /** Whether the database may be on another machine without TLS; absent = no. */
    readonly allowPlainDatabase?: boolean
  }

/** A file of a fleet whose position the guard cannot watch. */
export type UnwatchedFile = {
  readonly file: string
  /** The first problem, in one line. */
  readonly why: string
}

/**
 * Everything the guard's process needs, without secrets: `mizani guard` reads the whole configuration, writes this file and turns into the
 * small process that reads it.
 */
export type GuardSettings = {
  readonly version: string
  readonly host: string
  readonly port: number
  /** Files with PEM; null = plain HTTP, on loopback only. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** Where the shared token is stored; `made`: files in which each running daemon leaves the token of its run. */
  readonly token: SecretPlace | { readonly kind: 'made'; readonly files: readonly string[] }
  /** The folder of the lease numbers. */
  readonly folder: string
  /** External services that notice when the guard is gone. */
  readonly heartbeats: readonly {
    readonly place: SecretPlace
    readonly configFile: string
    readonly everyMs: Ms
    readonly suffixes: boolean
  }[]
  /** The command that starts this program again, for notifications and a reload. */
  readonly program: readonly string[]
  readonly arguments: readonly string[]
  readonly positions: readonly PositionSettings[]
  readonly unwatched: readonly UnwatchedFile[]
}
