import type { Ms } from '../../../base/time.ts'
import type { Consequence, Notice } from '../notice.ts'

/** A text with the time it was received. */
export type TimedText = { readonly t: Ms; readonly text: string }

/** A message to a channel: one notice, all notices of a code within a window, or everything held back. */
export type Message = {
  /** Stays the same across retries. */
  readonly id: string
  readonly position: string
  readonly mode: 'live' | 'dry-run'
  readonly kind: Notice['kind'] | 'held'
  readonly severity: Notice['severity']
  readonly code: string
  /** The number of notices that it covers. */
  readonly count: number
  readonly first: TimedText
  readonly last: TimedText
  readonly since: Ms | null
  /** What happened, in words. */
  readonly title: string
  /** Its consequences. */
  readonly also: readonly Consequence[]
  /** For a critical message: the holdings; null = unknown, or not part of this message. */
  readonly atRisk: string | null
  /** The live quote; null = not part of this message. */
  readonly live: string | null
  /** What mizani did, and whether the venue confirmed it; null = not part of this message. */
  readonly did: string | null
  /** The advised action, with complete commands; null = none. */
  readonly advice: string | null
  /** The explanation of the code: a URL, or the command that prints it. */
  readonly runbook: string | null
  /** The console page for viewing and deciding; opening it changes nothing. Null = none. */
  readonly console: string | null
}

/** The outcome of one attempt to send. `why` never contains a secret. */
export type Delivery =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'retry'; readonly why: string; readonly afterMs: Ms | null }
  /** A retry would be refused as well. `isContent`: only this message is affected, not the whole channel. */
  | { readonly outcome: 'refused'; readonly why: string; readonly isContent: boolean }

/** A channel to a person. Neither function rejects. */
export type Channel = {
  readonly send: (message: Message) => Promise<Delivery>
  readonly close: () => Promise<void>
}
