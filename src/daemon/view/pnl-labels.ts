import type { Pnl, PnlTerm } from '../../core/ledger/book/pnl.ts'

/**
 * The terms that add up to the PnL in TZS, in the order in which they are shown, each with its label. Terminal, console and
 * notifications show these; the schema with its Zod types would be too much for the console's page.
 */
export const TZS_LABELS = [
  ['spreadCapture', 'spread'],
  ['staleMid', 'stale mid'],
  ['inventory', 'inventory'],
  ['costs', 'costs'],
  ['unreconciled', 'unreconciled'],
] as const satisfies readonly (readonly [PnlTerm, string])[]

/** The same in USD, in which spread and stale mid are one term. */
export const USD_LABELS = [
  ['edge', 'edge'],
  ['inventory', 'inventory'],
  ['costs', 'costs'],
  ['unreconciled', 'unreconciled'],
] as const satisfies readonly (readonly [keyof Pnl['usd'], string])[]
