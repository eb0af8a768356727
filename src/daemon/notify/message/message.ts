import type { Ms } from '../../../base/time.ts'
import type { Consequence, Notice } from '../notice.ts'

/** What was received at a moment. */
export type TimedText = { readonly t: Ms; readonly text: string }

/** What goes out on a channel: one notice, or all of one code within a window, or what was held back. */
export type Message = {
  /** The same over all attempts to send it. */
  readonly id: string
  readonly position: string
  readonly mode: 'live' | 'dry-run'
  readonly kind: Notice['kind'] | 'held'
  readonly severity: Notice['severity']
  readonly code: string
  /** How many notices it stands for. */
  readonly count: number
  readonly first: TimedText
  readonly last: TimedText
  readonly since: Ms | null
  /** What happened, in words. */
  readonly title: string
  /** What followed from it. */
  readonly also: readonly Consequence[]
  /** What is held, of a critical message; null = unknown, or no part of it. */
  readonly atRisk: string | null
  /** What takers can trade at now; null = no part of this message. */
  readonly live: string | null
  /** What mizani did, and whether the venue confirmed it; null = no part of this message. */
  readonly did: string | null
  /** What a person should do, with complete commands; null = nothing. */
  readonly advice: string | null
  /** Where the code is explained: an address, or the command that prints it. */
  readonly runbook: string | null
  /** The page of the console on which a person sees it and decides; opening it changes nothing. Null = none. */
  readonly console: string | null
}

/** What became of one attempt to send. `why` never holds a secret. */
export type Delivery =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'retry'; readonly why: string; readonly afterMs: Ms | null }
  /** It would be refused again. `isContent`: this message only, not the channel as a whole. */
  | { readonly outcome: 'refused'; readonly why: string; readonly isContent: boolean }

/** A way to a person. Neither function rejects. */
export type Channel = {
  readonly send: (message: Message) => Promise<Delivery>
  readonly close: () => Promise<void>
}
