import { z } from 'zod'
import { formatAmount, parseAmount } from '../money/amount.ts'
import { transactionHash } from './execute-swap.ts'
import { isoTime, type VenueState } from './venue-state.ts'

const isShillings = (text: string): boolean => {
  const parsed = parseAmount(text, 'NTZS')
  return parsed.ok && parsed.value > 0n
}

/** A taker brings a token that the provider cannot own, and takes shillings of its pool. */
export const ThirdTokenSchema = z.strictObject({
  symbol: z.enum(['TGBP', 'ZARP']),
  amountIn: z.string().regex(/^\d{1,12}(\.\d{1,6})?$/),
  ntzs: z.string().refine(isShillings, 'ntzs must be a positive decimal'),
})

/** Makes the fill when called; throws before that, with nothing changed, where the pool holds less. */
export function fillOfThirdToken(
  venue: VenueState,
  { symbol, amountIn, ntzs }: z.output<typeof ThirdTokenSchema>,
): () => void {
  const parsed = parseAmount(ntzs, 'NTZS')
  const amountOut = parsed.ok ? parsed.value : 0n
  if (venue.ours.pool.NTZS < amountOut) throw new Error(`the pool holds less than ${ntzs} NTZS`)
  return () => {
    venue.ours.pool.NTZS -= amountOut
    venue.takers.NTZS += amountOut
    const hash = transactionHash(venue.random.ids)
    const row = {
      id: `${symbol}-${hash.slice(2, 14)}`,
      fromToken: symbol,
      toToken: 'NTZS',
      amountIn,
      amountOut: formatAmount(amountOut, 'NTZS'),
      createdAt: isoTime(venue.now),
      feesEarned: '0',
      txHash: hash,
    }
    venue.fillRows.show({ at: venue.now, row }, venue.faults.fills, venue.random.fills)
  }
}
