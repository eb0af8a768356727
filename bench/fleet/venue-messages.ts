import type { MidsMoved } from './mid-schedule.ts'

/** What the process of the venue starts with, as JSON in its first argument. */
export type VenueInit = {
  readonly positions: number
  /** Files in PEM; null = plain HTTP. */
  readonly tls: { readonly key: string; readonly certificate: string } | null
  /** How often a taker comes to each position; null = never. */
  readonly takerEveryMs: number | null
}

/** What the bench asks of the venue over the channel between the processes. */
export type VenueOrder =
  | { readonly id: number; readonly what: 'figures' }
  | { readonly id: number; readonly what: 'moveMids'; readonly everyMs: number; readonly forMs: number }

export type VenueFigures = {
  /** Since its start. */
  readonly requests: number
  readonly notAuthorized: number
  readonly cpuMs: number
  /** Of the venue's own event loop: so much of what is measured at it may be its own. */
  readonly delayP999Ms: number
}

export type VenueReply =
  | { readonly url: string }
  | { readonly id: number; readonly answer: VenueFigures | MidsMoved }

export function apiKeyOf(index: number): string {
  return `mm_bench_${String(index).padStart(5, '0')}`
}
