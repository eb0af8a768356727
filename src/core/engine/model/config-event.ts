import type { CoreConfig } from './config.ts'
import type { TimedEvent } from './venue-answer.ts'

/** Settings made over HTTP, in force until they are withdrawn; `config` includes them. Absent = no such settings. */
export type Overrides = {
  /** New values by dotted path. */
  readonly set: Readonly<Record<string, unknown>>
  /** Overrides that the current file no longer permits, or limits more strictly. */
  readonly dropped: readonly { readonly path: string; readonly why: string }[]
}

/** Each setting as people read it: `quote.safeBps = 400`. */
export function overrideTexts(set: Overrides['set']): readonly string[] {
  return Object.entries(set).map(([path, value]) => `${path} = ${JSON.stringify(value)}`)
}

/** Each dropped setting with the reason. */
export function droppedText(dropped: Overrides['dropped']): string {
  return dropped.map(({ path, why }) => `${path} (${why})`).join(', ')
}

/** New parameters or new strategy code, already validated as a whole; takes effect between two steps. */
export type ReloadedEvent = TimedEvent<'reloaded'> & {
  readonly config: CoreConfig
  readonly overrides?: Overrides
  /**
   * True if a suspended strategy is asked again although it is unchanged: its worker may have hung for another reason.
   */
  readonly revives?: boolean
  /** The person who made the change, the reason, and the change; absent if a file changed without a person's command. */
  readonly by?: { readonly who: string; readonly why: string; readonly what: string }
}

/** New parameters or new code were rejected; the old ones stay in force. */
export type ReloadRefusedEvent = TimedEvent<'reloadRefused'> & {
  /** Every problem, a line each. */
  readonly problems: string
  readonly by?: ReloadedEvent['by']
}
