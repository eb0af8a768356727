import type { Ms } from '../../../base/time.ts'
import type { ReportedPosition } from '../notices/report.ts'
import type { LadderSettings, SafeWrite } from '../position/ladder.ts'
import type { GrantSettings } from '../position/grants.ts'

/** The place of a secret. The process reads it itself, and again where the venue refuses it. */
export type SecretPlace = { readonly kind: 'env' | 'file'; readonly where: string }

/** A request to the venue as `venue/endpoints.ts` makes it. */
export type PreparedRequest = {
  readonly method: string
  /** With the base path of the venue and the query. */
  readonly path: string
  /** JSON text; null = none. */
  readonly body: string | null
}

export type PositionSettings = GrantSettings &
  LadderSettings &
  // Its file as it was named: notifications are sent by its channels.
  ReportedPosition & {
    /** False in a dry run and in self-custody: the guard watches and notifies, and sends nothing. */
    readonly acts: boolean
    /** Why it does not; null where it does. */
    readonly actsNot: string | null
    readonly origin: string
    readonly apiKey: SecretPlace
    readonly writeTimeoutMs: Ms
    readonly slowTimeoutMs: Ms
    /** What the venue takes of the key. */
    readonly requestsPerMinute: number
    readonly requests: Readonly<
      Record<SafeWrite | 'readBid' | 'readAsk' | 'deactivate' | 'account', PreparedRequest>
    >
    readonly hasNotify: boolean
    /** What the daemon does once its guard has been silent: leaves the safe quote, or quotes on. */
    readonly whenSilent: 'safe' | 'carry-on'
    /** Where the daemon's lease rows are: a URL without a password, or where its secret stands; null = its store is a folder. */
    readonly database: string | SecretPlace | null
    /** Whether it may be on another machine without TLS; absent = no. */
    readonly allowPlainDatabase?: boolean
  }

/** A fleet's file whose position the guard cannot watch. */
export type UnwatchedFile = {
  readonly file: string
  /** Its first problem, in one line. */
  readonly why: string
}

/**
 * All that the guard's process needs, without a secret: `mizani guard` reads the whole configuration, writes this file and
 * becomes the small process that reads it.
 */
export type GuardSettings = {
  readonly version: string
  readonly host: string
  readonly port: number
  /** Files with PEM; null = plain HTTP, on loopback only. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** Where the shared token stands; `made`: files in which a running daemon leaves the one of its run. */
  readonly token: SecretPlace | { readonly kind: 'made'; readonly files: readonly string[] }
  /** Where the numbers of leases are kept. */
  readonly folder: string
  /** Outside services that notice when the guard is gone. */
  readonly heartbeats: readonly {
    readonly place: SecretPlace
    readonly configFile: string
    readonly everyMs: Ms
    readonly suffixes: boolean
  }[]
  /** What starts this program again, for notifications and a reload. */
  readonly program: readonly string[]
  readonly arguments: readonly string[]
  readonly positions: readonly PositionSettings[]
  readonly unwatched: readonly UnwatchedFile[]
}
