import type { CoreConfig, WithdrawConfig } from '../../../core/engine/model/config.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import type { LoadedAlert } from './alert.ts'
import type { LoadedChannels } from './channels.ts'
import type { LeaseTerms } from '../../../core/lease/terms.ts'
import type { LoadedGuard } from './guard.ts'
import type { LoadedHttp } from './http.ts'
import type { LoadedTreasury } from './treasury.ts'
import type { ConfigSources } from './parse-config.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { ConfigFile } from '../schema/schema.ts'
import type { Secret } from '../source/secret.ts'
import type { Changes } from './changes.ts'
import type { Ms } from '../../../base/time.ts'
import type { TokenAmounts } from '../../../base/money/asset.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'

/** A position's configuration: validated as a whole, defaults filled in, secrets wrapped. */
export type LoadedConfig = {
  readonly core: CoreConfig
  readonly strategy: LoadedStrategy
  /** sha-256 of the strategies that may run; null = all. */
  readonly allowedCode: readonly string[] | null
  /** Without the key. */
  readonly venue: Omit<ConfigFile['venue'], 'apiKey'>
  readonly apiKey: Secret
  /** Null without self-custody, or when secrets were not read. */
  readonly rfq: LoadedRfq | null
  /** Null without a chain to watch, or when secrets were not read. */
  readonly chain: LoadedChain | null
  /** Null without a channel, or when secrets were not read. */
  readonly notify: LoadedNotify | null
  /** Without the secret parts if secrets were not read. */
  readonly alert: LoadedAlert
  /** Null without a treasury, or when secrets were not read. */
  readonly treasury: LoadedTreasury | null
  /** Empty without feeds, or if secrets were not read. */
  readonly feeds: readonly Feed[]
  readonly store: {
    /** The folder of the files that stay on this machine. */
    readonly path: string
    readonly keepJournalDays: number
    /** Where the journal and its tables are: that folder, or PostgreSQL. */
    readonly place: string | { readonly url: string; readonly position: string; readonly folder: string }
    /** The lease terms in PostgreSQL; null = a folder, whose lock suffices. */
    readonly terms: LeaseTerms | null
  }
  readonly http: LoadedHttp
  /** Null without a guard, or if secrets were not read. */
  readonly guard: LoadedGuard | null
  readonly log: ConfigFile['log']
  readonly withdraw: WithdrawConfig
  /** As configured: its code is loaded in a separate thread. Null = no challenger. */
  readonly challenger: ConfigFile['challenger']
  /** Absolute path; null = no calibration. */
  readonly calibrationFile: string | null
  readonly record: ConfigFile['record']
  readonly close: ConfigFile['close']
  /** Absolute paths of the tape and the own data, with the other settings of a backtest. */
  readonly backtest: ConfigFile['backtest']
  /** With absolute paths. */
  readonly research: ConfigFile['research']
  /** Whether the position has a separate worker instead of sharing one. */
  readonly isolate: boolean
  /** The file's path as given. */
  readonly file: string
  /** That file and, in a fleet, its defaults, with their contents. */
  readonly sources: ConfigSources
  /** Differences from the file; a reload applies the same changes. */
  readonly changes: Changes
  /** Absolute paths of every source: the file, secret files, strategy sources. */
  readonly watchFiles: readonly string[]
}

/** The notification channels with their secrets; at least one is not null. */
export type LoadedNotify = {
  readonly [Name in keyof LoadedChannels]: (ChannelRules & NonNullable<LoadedChannels[Name]>) | null
} & {
  readonly groupMs: Ms
  /** Null = a halt is sent only once. */
  readonly remindMs: Ms | null
  readonly quietHours: { readonly fromMinute: number; readonly toMinute: number } | null
  readonly timezone: string
  readonly summaryAt: { readonly hour: number; readonly minute: number } | null
  /** Null = the console's page, or the command that prints an entry. */
  readonly runbookUrl: string | null
  /** Null = messages have no link to the console. */
  readonly consoleUrl: string | null
}

type ChannelRules = {
  readonly minSeverity: 'critical' | 'warning' | 'info'
  readonly maxPerHour: number
  readonly summary: boolean
}

/** The shell's part of self-custody: endpoints, the key's location, gas. */
export type LoadedRfq = {
  readonly rpc: {
    /** Secret, because many endpoints have their key in the path. */
    readonly urls: readonly Secret[]
    readonly quorum: number
    readonly timeoutMs: Ms
  }
  readonly signer: LoadedSigner
  readonly gas: { readonly maxFeeGwei: number; readonly tipGwei: number; readonly replaceAfterMs: Ms }
  /** The exchange's allowances in base units; an unlisted token gets none. */
  readonly approve: Partial<TokenAmounts>
  /** The signer's own limits, USD with 18 decimals, read only at its start. */
  readonly limits: {
    readonly maxOrderUsd: bigint
    readonly maxOutstandingUsd: bigint
    readonly maxAtRiskUsdPerHour: bigint
    readonly maxAtRiskUsdPerDay: bigint
    readonly maxSignaturesPerMinute: number
    /** The longest life of any order. */
    readonly maxLifeMs: Ms
  }
}

/** Where transfers out of the pooled-capital wallet are watched. Addresses in lower case. */
export type LoadedChain = Omit<NonNullable<ConfigFile['chain']>, 'urls' | 'allowPlainHttp'> & {
  /** Secret, because many endpoints have their key in the path. */
  readonly urls: readonly Secret[]
}

/** In the shape that custody/signing expects; paths are absolute. */
export type LoadedSigner =
  | { readonly kind: 'keystore'; readonly file: string; readonly passwordFile: string }
  | { readonly kind: 'env'; readonly key: Secret; readonly allowInLive: boolean }
  | { readonly kind: 'web3signer'; readonly url: string; readonly address: Hex }
