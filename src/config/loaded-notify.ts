import type { Ms } from '../base/time.ts'
import type { Secret } from './secret.ts'

/** Whom the daemon tells, with the secrets read. At least one channel is not null. */
export type LoadedNotify = {
  readonly telegram:
    | (ChannelRules & { readonly botToken: Secret; readonly chatId: string; readonly apiUrl: string })
    | null
  readonly slack: (ChannelRules & { readonly webhookUrl: Secret }) | null
  readonly webhook: (ChannelRules & { readonly url: Secret; readonly hmacKey: Secret }) | null
  readonly groupMs: Ms
  /** Null = a halt is told once. */
  readonly remindMs: Ms | null
  readonly quietHours: { readonly fromMinute: number; readonly toMinute: number } | null
  readonly timezone: string
  readonly summaryAt: { readonly hour: number; readonly minute: number } | null
  readonly runbookUrl: string
}

export type ChannelRules = {
  readonly minSeverity: 'critical' | 'warning' | 'info'
  readonly maxPerHour: number
  readonly summary: boolean
}
