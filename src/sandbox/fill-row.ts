import { formatAmount } from '../money/amount.ts'
import type { VenueFill } from './provider.ts'
import { TOKENS } from './tokens.ts'

/**
 * A fill as GET /fills shows it. The contract's row has symbols, the spread income and one hash; the
 * observed one token addresses, both incomes and both hashes. A token off the primary chain is named by
 * an extra `fromChain` or `toChain`, since the symbol alone would not tell its decimals; not where rows are `bare`.
 */
export function fillRow(
  fill: VenueFill,
  dialect: 'contract' | 'observed',
  source: 'swap' | 'rfq' = 'swap',
  bare = false,
): Readonly<Record<string, unknown>> {
  const from = TOKENS[fill.from]
  const to = TOKENS[fill.to]
  const common = {
    id: fill.id,
    amountIn: formatAmount(fill.amountIn, fill.from),
    amountOut: formatAmount(fill.amountOut, fill.to),
    createdAt: new Date(fill.at).toISOString(),
    ...(from.chain === 'base' || bare ? {} : { fromChain: from.chain }),
    ...(to.chain === 'base' || bare ? {} : { toChain: to.chain }),
  }
  const earned = formatAmount(fill.earned, fill.to)
  if (dialect === 'contract') {
    return {
      ...common,
      fromToken: from.symbol,
      toToken: to.symbol,
      feesEarned: earned,
      txHash: fill.outTxHash,
    }
  }
  return {
    ...common,
    fromToken: from.address,
    toToken: to.address,
    spreadEarned: earned,
    protocolFeeEarned: formatAmount(fill.fee, fill.to),
    inTxHash: fill.inTxHash,
    outTxHash: fill.outTxHash,
    userAddress: fill.taker,
    source,
    partnerId: null,
  }
}
