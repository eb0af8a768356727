import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../money/bps.ts'
import type { PathStep } from './config-problem.ts'
import type { DescribedIssue } from './describe-issues.ts'

/** Names that can only mean a spread as the venue takes it: bidBps, askBps, halfSpreadBps, spreadBps. */
const SPREAD_NAME = /(^(bid|ask|spread)|(Bid|Ask|Spread))Bps$/

/**
 * Spreads in a strategy's parameters that the venue would refuse. The schema of a strategy should say so
 * itself; one that forgets it must not get a spread past the border.
 */
export function spreadsOutOfRange(params: unknown): readonly DescribedIssue[] {
  const issues: DescribedIssue[] = []
  visit(params, [], (value, path) => {
    const name = path.at(-1)
    if (typeof value !== 'number' || typeof name !== 'string' || !SPREAD_NAME.test(name)) return
    if (value >= MIN_SPREAD_BPS && value <= MAX_SPREAD_BPS) return
    const message = `a spread outside ${MIN_SPREAD_BPS}..${MAX_SPREAD_BPS}; from ${MIN_SPREAD_BPS} to ${MAX_SPREAD_BPS} would be right`
    issues.push({ path, at: 'value', message })
  })
  return issues
}

/**
 * Where in the raw parameters the parameters of a wrapped strategy stand: the path of its `params`, or of
 * where they would stand beside its `use`. Null where the outer strategy made them up.
 */
export function findPath(
  rawParams: unknown,
  wish: { readonly use: string; readonly params: unknown },
): readonly PathStep[] | null {
  let same: readonly PathStep[] | null = null
  let named: readonly PathStep[] | null = null
  visit(rawParams, [], (value, path) => {
    if (typeof value !== 'object' || value === null) return
    if (value === wish.params) same ??= path
    const { use, params } = value as { use?: unknown; params?: unknown }
    if (use === wish.use && (params === undefined || equal(params, wish.params)))
      named ??= [...path, 'params']
  })
  return same ?? named
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
