import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import type { PathStep } from '../source/problem.ts'
import type { Finding } from '../source/problem.ts'

/** Names that can only mean a spread in the venue's terms: bidBps, askBps, halfSpreadBps, spreadBps. */
const SPREAD_NAME = /(^(bid|ask|spread)|(Bid|Ask|Spread))Bps$/

/**
 * Returns the spreads in a strategy's parameters that the venue would refuse. The strategy's schema should reject
 * them; this check catches a schema that does not.
 */
export function spreadsOutOfRange(params: unknown): readonly Finding[] {
  const issues: Finding[] = []
  visit(params, [], (value, path) => {
    const name = path.at(-1)
    if (typeof value !== 'number' || typeof name !== 'string' || !SPREAD_NAME.test(name)) return
    if (value >= MIN_SPREAD_BPS && value <= MAX_SPREAD_BPS) return
    const message = `a spread outside ${MIN_SPREAD_BPS}..${MAX_SPREAD_BPS}; must be from ${MIN_SPREAD_BPS} to ${MAX_SPREAD_BPS}`
    issues.push({ path, at: 'value', message })
  })
  return issues
}

/** The positions of a reference's parts in the file, as paths below `strategy`. */
export type ReferencePlace = {
  readonly use: readonly PathStep[]
  /** The position of a path inside the parameters. */
  readonly inParams: (path: readonly PathStep[]) => readonly PathStep[]
}

/** The position of the outermost strategy. */
export const OUTERMOST: ReferencePlace = { use: ['use'], inParams: (path) => ['params', ...path] }

/**
 * Returns the position of a wrapped strategy's choice in the raw parameters of the outermost one: next to a `use`
 * with the same parameters or, if the outer strategy merged parameters, in the part that has the key. A choice that
 * the outer strategy made in code is placed at its own parameters.
 */
export function placeOfInner(
  rawParams: unknown,
  wish: { readonly use: string; readonly params: unknown },
  outer: ReferencePlace,
): ReferencePlace {
  let beside: readonly PathStep[] | null = null
  let named: readonly PathStep[] | null = null
  const pieces: { readonly path: readonly PathStep[]; readonly piece: object }[] = []
  visit(rawParams, ['params'], (value, path) => {
    if (typeof value !== 'object' || value === null) return
    const { use, params } = value as { use?: unknown; params?: unknown }
    if (use === wish.use) named ??= path
    if (use === wish.use && equal(params ?? {}, wish.params)) beside ??= path
    if (isPieceOf(value, wish.params)) pieces.push({ path, piece: value })
  })
  const at: readonly PathStep[] | null = beside ?? named
  return {
    use: at === null ? outer.use : [...at, 'use'],
    inParams: (path) => {
      if (beside !== null) return [...beside, 'params', ...path]
      const found = pieces.find(({ piece }) => path[0] !== undefined && Object.hasOwn(piece, path[0]))
      return found === undefined ? outer.inParams([]) : [...found.path, ...path]
    },
  }
}

function isPieceOf(value: object, whole: unknown): boolean {
  if (typeof whole !== 'object' || whole === null) return false
  return Object.entries(value).every(
    ([key, item]) =>
      Object.hasOwn(whole, key) && equal(item, (whole as Readonly<Record<string, unknown>>)[key]),
  )
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function visit(
  value: unknown,
  path: readonly PathStep[],
  see: (value: unknown, path: readonly PathStep[]) => void,
): void {
  see(value, path)
  if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index], see))
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) visit(item, [...path, key], see)
  }
}
