/** A part of a configuration as it is written. */
export type Section = Readonly<Record<string, unknown>>

/** The variables that a drilled configuration names; their values are the drill's own. */
export const DRILL_ENV = {
  key: 'MIZANI_DRILL_KEY',
  token: 'MIZANI_DRILL_TOKEN',
  receiver: 'MIZANI_DRILL_RECEIVER',
  hmac: 'MIZANI_DRILL_HMAC',
  /** The key of the wallet, which everybody knows: it is worth something on a simulated chain alone. */
  maker: 'MIZANI_DRILL_MAKER',
  partner: 'MIZANI_DRILL_PARTNER',
  /** The tokens of the people who order and approve what a treasury moves. */
  firstPerson: 'MIZANI_DRILL_PERSON_A',
  secondPerson: 'MIZANI_DRILL_PERSON_B',
} as const

/** The settings of these names that are written; what is left to its default stays so. */
export function pick(from: Section, names: readonly string[]): Section {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])))
}

export function section(value: unknown): Section {
  return typeof value === 'object' && value !== null ? (value as Section) : {}
}
