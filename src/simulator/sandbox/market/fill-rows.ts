import type { Random } from '../../../base/random.ts'
import type { Ms } from '../../../base/time.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import type { Faults } from '../faults.ts'
import { measuredRow } from './measured-row.ts'
import type { SandboxOptions } from '../options.ts'
import type { VenueFill } from './provider.ts'
import { TOKENS } from './tokens.ts'

/** The window GET /fills shows. Source: contract, limits. */
const FILLS_WINDOW = 100
/** Kept beyond the window so that a late row can be inserted behind older ones. */
const KEPT_ROWS = 2 * FILLS_WINDOW

type FillRow = { readonly at: Ms; readonly row: Readonly<Record<string, unknown>> }

/** The rows of GET /fills, which faults can make differ from the actual fills. */
export type FillRows = {
  /** The answer's body: the same object until something changes. */
  body(): { readonly fills: readonly unknown[] }
  /** Adds a fill, possibly twice or out of order. */
  show(row: FillRow, faults: Faults['fills'], random: Random): void
  /** How often a row was shown twice, and out of order. */
  readonly spoilt: { repeated: number; displaced: number }
}

export function createFillRows(): FillRows {
  const rows: FillRow[] = []
  const spoilt = { repeated: 0, displaced: 0 }
  let shown: { readonly fills: readonly unknown[] } | null = null
  const insert = (row: FillRow, displacement: number) => {
    let index = 0
    while (index < rows.length && (rows[index] as FillRow).at > row.at) index += 1
    rows.splice(Math.min(rows.length, index + displacement), 0, row)
    if (rows.length > KEPT_ROWS) rows.pop()
    shown = null
  }
  return {
    body() {
      shown ??= { fills: rows.slice(0, FILLS_WINDOW).map(({ row }) => row) }
      return shown
    },
    show(row, faults, random) {
      const displacement = happens(faults.reordered, random) ? 1 + Math.floor(random() * 4) : 0
      insert(row, displacement)
      if (displacement > 0) spoilt.displaced += 1
      if (!happens(faults.duplicate, random)) return
      insert(row, 0)
      spoilt.repeated += 1
    },
    spoilt,
  }
}

/** Draws a random number only if needed, so a quiet venue uses none. */
export function happens(chance: number, random: Random): boolean {
  return chance > 0 && random() < chance
}

/**
 * Returns a fill in the form of GET /fills. The contract's row has symbols, the spread income and one hash. A token
 * off the primary chain has an extra `fromChain` or `toChain`, because its decimals do not follow from the symbol;
 * not in bare rows.
 */
export function fillRow(
  fill: VenueFill,
  { venue, bareRows }: Pick<SandboxOptions, 'venue' | 'bareRows'>,
): Readonly<Record<string, unknown>> {
  if (venue === 'measured') return measuredRow(fill)
  const from = TOKENS[fill.from]
  const to = TOKENS[fill.to]
  return {
    id: fill.id,
    amountIn: formatTokens(fill.amountIn, fill.from),
    amountOut: formatTokens(fill.amountOut, fill.to),
    createdAt: new Date(fill.at).toISOString(),
    ...(from.chain === 'base' || bareRows ? {} : { fromChain: from.chain }),
    ...(to.chain === 'base' || bareRows ? {} : { toChain: to.chain }),
    fromToken: from.symbol,
    toToken: to.symbol,
    feesEarned: formatTokens(fill.earned, fill.to),
    txHash: fill.outTxHash,
  }
}
