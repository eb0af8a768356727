import type { CoreConfig } from './config.ts'
import type { TimedEvent } from './venue-answer.ts'

/** What people set over HTTP, which lasts until they take it back: part of `config` already. Absent = nothing. */
export type Overrides = {
  /** New values by dotted path. */
  readonly set: Readonly<Record<string, unknown>>
  /** What the file of today no longer takes, or is stricter about. */
  readonly dropped: readonly { readonly path: string; readonly why: string }[]
}

/** Each setting as people read it: `quote.safeBps = 400`. */
export function overrideTexts(set: Overrides['set']): readonly string[] {
  return Object.entries(set).map(([path, value]) => `${path} = ${JSON.stringify(value)}`)
}

/** Each setting that went, with why it did. */
export function droppedText(dropped: Overrides['dropped']): string {
  return dropped.map(({ path, why }) => `${path} (${why})`).join(', ')
}

/** New parameters or new strategy code, already validated as a whole; takes effect between two steps. */
export type ReloadedEvent = TimedEvent<'reloaded'> & {
  readonly config: CoreConfig
  readonly overrides?: Overrides
  /** A suspended strategy gets a new chance though it is the same one: what ended its worker may have been another line. Absent = it does not. */
  readonly revives?: boolean
  /** The person who set something, why, and what; absent where a file changed by itself. */
  readonly by?: { readonly who: string; readonly why: string; readonly what: string }
}

/** New parameters or new code that cannot be taken: the old ones stay. */
export type ReloadRefusedEvent = TimedEvent<'reloadRefused'> & {
  /** Every problem, a line each. */
  readonly problems: string
  readonly by?: ReloadedEvent['by']
}
