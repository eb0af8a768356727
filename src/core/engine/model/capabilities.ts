import type { Ms } from '../../../base/time.ts'

/** Venue behaviour that varies from venue to venue. */
export const CAPABILITIES = [
  'activate-method',
  'shilling-symbol',
  'fill-tokens',
  'book-decimals',
  'side-flags',
  'pairs',
  'quote-read-back',
  'execution-mid',
  'rfq',
  'custody',
] as const
export type CapabilityName = (typeof CAPABILITIES)[number]

/** A capability that an answer has shown and a later answer may contradict. Plain data. */
export type Learned = {
  readonly value: string
  readonly at: Ms
  /** The answer that showed it, in a few words. */
  readonly evidence: string
}

/** Learned capabilities; absent = not shown by any answer. The others are derived from the rest of the state. */
export type LearnedCapabilities = Partial<Record<CapabilityName, Learned>>
