/** Traits that a venue's answers can show. */
export const TOPICS = [
  'bid-formula',
  'ask-formula',
  'protocol-fee',
  'rounding',
  'fee-side',
  'rotation-tolerance',
  'routing',
  'publication',
  'dialect',
  'undocumented-fields',
  'request-limit',
  'public-request-limit',
] as const
export type Topic = (typeof TOPICS)[number]

export const TITLES: Readonly<Record<Topic, string>> = {
  'bid-formula': 'pricing formula of the bid',
  'ask-formula': 'pricing formula of the ask',
  'protocol-fee': 'protocol fee',
  rounding: 'rounding',
  'fee-side': 'who bears the fee',
  'rotation-tolerance': 'rotation tolerance',
  routing: 'routing by source',
  publication: 'publication of the mid',
  dialect: 'dialect of the answers',
  'undocumented-fields': 'undocumented fields',
  'request-limit': 'limit of the key',
  'public-request-limit': 'limit of the public endpoint',
}

/** One trait of the venue, with its certainty. */
export type Trait = {
  readonly topic: Topic
  /** Null = no observation could show it. */
  readonly value: string | null
  /** Number of observations that could have contradicted it. */
  readonly observed: number
  /** Number of contradicting observations. */
  readonly exceptions: number
  /** In words: the rule of three without exceptions, else the posterior mean of an exception. */
  readonly sure: string
  /** A few observations in plain text; venue text is truncated. */
  readonly examples: readonly string[]
}

const MOST_EXAMPLES = 3
const LONGEST_EXAMPLE = 160

/** Returns a trait with its certainty; `sure` replaces the usual words if observations cannot contradict it. */
export function traitOf(
  topic: Topic,
  value: string | null,
  {
    observed,
    exceptions = 0,
    examples = [],
    sure,
  }: Partial<Pick<Trait, 'observed' | 'exceptions' | 'examples' | 'sure'>>,
): Trait {
  const shown = examples.slice(0, MOST_EXAMPLES).map((text) => text.slice(0, LONGEST_EXAMPLE))
  const count = observed ?? 0
  const unknown = value === null && count > 0 ? `${count} observed, and they do not show it` : undefined
  const certainty = count > 0 && sure !== undefined ? sure : (unknown ?? sureness(count, exceptions))
  return { topic, value, observed: count, exceptions, sure: certainty, examples: shown }
}

/**
 * n observations without an exception: with 95 % certainty exceptions are rarer than 3/n (rule of three). With k
 * exceptions: the posterior mean (k + 1) / (n + 2) of a uniform prior.
 */
function sureness(observed: number, exceptions: number): string {
  if (observed === 0) return 'nothing was observed'
  if (exceptions > 0) {
    const share = (100 * (exceptions + 1)) / (observed + 2)
    return `${exceptions} of ${observed} do otherwise; expected of the next: ${share.toPrecision(2)} %`
  }
  if (observed < 3) return `${observed} observed: too few to tell`
  return `${observed} observed, none otherwise: exceptions are rarer than ${(300 / observed).toPrecision(2)} % (95 %)`
}
