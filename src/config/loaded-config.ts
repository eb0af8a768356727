import type { CoreConfig, WithdrawConfig } from '../engine/model/config.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'
import type { LoadedHttp } from './http-section.ts'
import type { LoadedNotify } from './loaded-notify.ts'
import type { LoadedRfq } from './loaded-rfq.ts'
import type { LoadedFeed } from './read-feeds.ts'
import type { ConfigFile } from './schema.ts'
import type { Secret } from './secret.ts'
import type { Changes } from './with-changes.ts'

/** The venue's settings without the key; structurally what the venue room asks for. */
export type VenueChoice = Omit<ConfigFile['venue'], 'apiKey' | 'publicUrl'> & {
  readonly publicUrl: string | null
}

/** A position's configuration: validated as a whole, defaults filled in, secrets wrapped. */
export type LoadedConfig = {
  readonly core: CoreConfig
  readonly strategy: LoadedStrategy
  /** sha-256 of the strategies that may run; null = all. */
  readonly allowedCode: readonly string[] | null
  readonly venue: VenueChoice
  readonly apiKey: Secret
  /** Null where self-custody is off, or where no secrets were looked for. */
  readonly rfq: LoadedRfq | null
  /** Null where nobody is told, or where no secrets were looked for. */
  readonly notify: LoadedNotify | null
  /** Empty where there are none, or where no secrets were looked for. */
  readonly feeds: readonly LoadedFeed[]
  readonly store: { readonly path: string; readonly keepJournalDays: number }
  readonly http: LoadedHttp
  readonly log: ConfigFile['log']
  readonly withdraw: WithdrawConfig
  readonly record: ConfigFile['record']
  /** `tape` is absolute. */
  readonly backtest: ConfigFile['backtest']
  /** The file as it was named. */
  readonly file: string
  /** What of it is otherwise than in the file: whoever loads it again makes the same changes. */
  readonly changes: Changes
  /** Absolute paths of all that this came from: the file, secret files, strategy sources. */
  readonly watchFiles: readonly string[]
}
