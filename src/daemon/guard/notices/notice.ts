import type { POSITION_NOTICES } from '../../../core/alerts/position-notices.ts'
import type { Ms } from '../../../base/time.ts'

/** The notices that the guard can send; `core/alerts/position-notices.ts` defines their severity and advice. */
export type GuardNotice = Extract<keyof typeof POSITION_NOTICES, `guard-${string}`>

/** Same kinds as in `daemon/notify`. */
export type NoticeKind = 'raised' | 'reminder' | 'lifted' | 'acknowledged'

/** A notice to be sent. Another process sends it, so it is plain data. Times are wall clock. */
export type OutgoingNotice = {
  /** Stays the same across retries, so that a receiver can recognise a duplicate. */
  readonly id: string
  readonly position: string
  /** As passed to the guard. The sending process reads the channels from it at that moment. */
  readonly configFile: string
  readonly kind: NoticeKind
  readonly code: GuardNotice
  /** The number of notices of this code and kind that were merged into this one. */
  readonly count: number
  readonly first: { readonly t: Ms; readonly text: string }
  readonly last: { readonly t: Ms; readonly text: string }
  readonly since: Ms | null
  /** 0 = the channels of `notify`; n = the channels of step n of `alert.escalation`, ordered by minutes. */
  readonly audience: readonly number[]
  /** The notice ends an alert, so it is sent to channels regardless of their minimum severity. */
  readonly isEnd: boolean
  /** The channels that have not accepted it yet, such as `0/telegram`; null = all of them. */
  readonly only: readonly string[] | null
}

/** The outcome of one sending attempt. */
export type NoticeDelivery = {
  readonly id: string
  /** The channels that did not accept it; empty = sent. */
  readonly left: readonly string[]
  /** Why it was not sent; null = sent. Never contains a secret. */
  readonly why: string | null
}

/** Sends several notices, one attempt each. A notice without a delivery was not sent. Never rejects. */
export type SendNotices = (notices: readonly OutgoingNotice[]) => Promise<readonly NoticeDelivery[]>

/** Writes one log line. */
export type LogLine = (level: 'info' | 'warn' | 'error', position: string | null, message: string) => void

/** Returns the channel key that `only` and `left` use. */
export function channelKey(audience: number, channel: string): string {
  return `${audience}/${channel}`
}
