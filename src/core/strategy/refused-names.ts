import type { StrategyContext } from './context.ts'

/** Names of the strategy API until 0.2.0, by part, with their present names. */
const REFUSED_NAMES = {
  context: { promisable: 'available' },
  'context.inventory': { deviation: 'imbalance' },
  'context.fairShift': { because: 'reasons' },
} as const

/** Makes every read of an old name in this part of a context an error that gives the new name. Copies of the part lack them. */
export function refuseOldNames<T extends object>(part: keyof typeof REFUSED_NAMES, shown: T): T {
  for (const [old, name] of Object.entries(REFUSED_NAMES[part])) {
    const get = () => {
      throw new Error(`${part}.${old} is now ${part}.${name}: rename it in the strategy`)
    }
    Object.defineProperty(shown, old, { get, enumerable: false })
  }
  return shown
}

/** The same for a context with all of its parts. */
export function refuseAllOldNames(context: StrategyContext): StrategyContext {
  refuseOldNames('context.inventory', context.inventory)
  refuseOldNames('context.fairShift', context.fairShift)
  return refuseOldNames('context', context)
}

/** Returns what is wrong with a quote that has no list of reasons. */
export function missingReasonsText(quote: object): string {
  return 'because' in quote
    ? "returned 'because', which is now 'reasons': rename it"
    : "gave no reasons ('reasons' must be a list)"
}
