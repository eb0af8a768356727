import type { Ms } from '../../base/time.ts'
import type { Notice } from '../notice.ts'

/** What was heard at a moment. */
export type Heard = { readonly t: Ms; readonly text: string }

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
  readonly first: Heard
  readonly last: Heard
  readonly since: Ms | null
  /** What a person should do; null = nothing. */
  readonly advice: string | null
  /** Where the code is explained. */
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
