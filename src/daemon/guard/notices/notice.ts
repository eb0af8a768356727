import type { POSITION_NOTICES } from '../../../core/alerts/position-notices.ts'
import type { Ms } from '../../../base/time.ts'

/** What people may have to learn of from the guard; severity and advice stand in `core/alerts/position-notices.ts`. */
export type GuardNotice = Extract<keyof typeof POSITION_NOTICES, `guard-${string}`>

/** As `notify` has them. */
export type NoticeKind = 'raised' | 'reminder' | 'lifted' | 'acknowledged'

/** A notice on its way to people. It is sent by another process, so it is plain data. Times are wall clock. */
export type OutgoingNotice = {
  /** The same over all attempts, so that a receiver knows a repetition. */
  readonly id: string
  readonly position: string
  /** As the guard was given it: the channels are those of this file at the moment of sending. */
  readonly configFile: string
  readonly kind: NoticeKind
  readonly code: GuardNotice
  /** How many notices of its code and kind it stands for. */
  readonly count: number
  readonly first: { readonly t: Ms; readonly text: string }
  readonly last: { readonly t: Ms; readonly text: string }
  readonly since: Ms | null
  /** 0 = the channels of `notify`; n = those of step n of `alert.escalation`, in the order of their minutes. */
  readonly audience: readonly number[]
  /** It ends what people were notified of: it reaches channels whatever their least severity. */
  readonly isEnd: boolean
  /** The channels that have not taken it, `0/telegram`; null = all of them. */
  readonly only: readonly string[] | null
}

/** The outcome of one attempt. */
export type NoticeDelivery = {
  readonly id: string
  /** The channels that did not take it; none = it is sent. */
  readonly left: readonly string[]
  /** Why not; null = it is sent. Never a secret. */
  readonly why: string | null
}

/** Tries once to send several notices. A notice without a delivery was not sent. Never rejects. */
export type SendNotices = (notices: readonly OutgoingNotice[]) => Promise<readonly NoticeDelivery[]>

/** One line of the log. */
export type LogLine = (level: 'info' | 'warn' | 'error', position: string | null, message: string) => void

/** The key of a channel of an audience, as `only` and `left` name it. */
export function channelKey(audience: number, channel: string): string {
  return `${audience}/${channel}`
}
