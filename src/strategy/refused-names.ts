/** Names that the context of a strategy had up to 0.2.0, by group, and what each is called now. */
const REFUSED_NAMES = {
  context: { promisable: 'available' },
  'context.inventory': { deviation: 'imbalance' },
} as const

/** Makes reading an old name of this part of a context an error with the new name. A copy of the part does not have them. */
export function refuseOldNames<T extends object>(part: keyof typeof REFUSED_NAMES, shown: T): T {
  for (const [old, name] of Object.entries(REFUSED_NAMES[part])) {
    const get = () => {
      throw new Error(`${part}.${old} is called ${part}.${name} now: rename it in the strategy`)
    }
    Object.defineProperty(shown, old, { get, enumerable: false })
  }
  return shown
}
