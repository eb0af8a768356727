import type { Ms } from '../../../base/time.ts'

/** What a venue may do in more than one way. */
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

/** What an answer has shown, which a later answer may contradict. Plain data. */
export type Learned = {
  readonly value: string
  readonly at: Ms
  /** The answer that showed it, in a few words. */
  readonly evidence: string
}

/** Absent = no answer has shown it. The others follow from what the rest of the state keeps. */
export type LearnedCapabilities = Partial<Record<CapabilityName, Learned>>
