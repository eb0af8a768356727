/** Any JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** Changes of a variant to the configuration: dotted paths of keys (`strategy.params.maxSkewBps`) with values. */
export type VariantChanges = Readonly<Record<string, JsonValue>>

/** One configuration to try. Number 0 is always the unchanged configuration. */
export type Variant = {
  readonly index: number
  /** For people, such as `halfSpreadBps=60 maxSkewBps=40`, or `unchanged (halfSpreadBps=60)`. */
  readonly label: string
  readonly changes: VariantChanges
}

const UNCHANGED = 'unchanged'

/**
 * Numbers the variants in the given order, after the unchanged configuration. `unchanged` are changes that leave the
 * configuration as it is: the point of a grid that equals it.
 */
export function numberVariants(
  changes: readonly VariantChanges[],
  unchanged: VariantChanges = {},
): readonly Variant[] {
  return [unchanged, ...changes].map((change, index) => ({
    index,
    label: labelOf(change, index),
    changes: change,
  }))
}

/**
 * Merges the points of the grid that equal the unchanged configuration into it: it runs, ranks and counts once.
 * `configs` has the hash of the unchanged configuration, then one for each change.
 */
export function mergeUnchanged(
  changes: readonly VariantChanges[],
  [own = '', ...configs]: readonly string[],
): { readonly variants: readonly Variant[]; readonly configs: readonly string[] } {
  const differs = (_: unknown, index: number): boolean => configs[index] !== own
  return {
    variants: numberVariants(changes.filter(differs), changes[configs.indexOf(own)]),
    configs: [own, ...configs.filter(differs)],
  }
}

function labelOf(changes: VariantChanges, index: number): string {
  const label = Object.entries(changes)
    .map(([path, value]) => `${shortKey(path)}=${valueText(value)}`)
    .join(' ')
  if (index > 0) return label
  return label === '' ? UNCHANGED : `${UNCHANGED} (${label})`
}

/** Formats a value for people: drawn numbers have too many digits to read. */
export function valueText(value: JsonValue): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(6)))
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const PARAMS = 'strategy.params.'

/** Returns a path as people write it: a parameter of the strategy by its name alone. */
export function shortKey(path: string): string {
  return path.startsWith(PARAMS) ? path.slice(PARAMS.length) : path
}

/** Returns the path of a key as people write it: without a dot, it is a parameter of the strategy. */
export function pathOfKey(key: string): string {
  return key.includes('.') ? key : `${PARAMS}${key}`
}

const USE = 'strategy.use'

/**
 * Returns a variant's changes for the configuration. A variant that names its strategy starts from that strategy's defaults,
 * because the parameters in the file belong to another strategy.
 */
export function variantChanges(changes: VariantChanges): VariantChanges {
  return Object.hasOwn(changes, USE) ? { 'strategy.params': {}, ...changes } : changes
}
