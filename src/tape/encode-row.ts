import type { Ms } from '../base/time.ts'
import { formatAmount } from '../money/amount.ts'
import { formatRate } from '../money/rate.ts'
import type { FillRow, TapeRow } from './tape-row.ts'

/**
 * A row as one line of the text form (docs/tapes.md), without the line's end. Canonical: fields in their
 * documented order, shortest exact decimals, times with milliseconds, optional fields left out when null.
 */
export function encodeRow(row: TapeRow): string {
  return JSON.stringify({ t: timeText(row.t), type: row.type, ...fieldsOf(row) })
}

function fieldsOf(row: TapeRow): Readonly<Record<string, unknown>> {
  switch (row.type) {
    case 'rate':
      return {
        midRateTZS: formatRate(row.mid),
        rateUpdatedAt: optionalTime(row.rateUpdatedAt),
        quotable: row.quotable ?? undefined,
      }
    case 'reference':
      return { source: row.source, midTZS: formatRate(row.mid) }
    case 'competition':
      return {
        from: row.from,
        to: row.to,
        amount: formatAmount(row.amount, row.from),
        bidBps: row.bidBps ?? undefined,
        askBps: row.askBps ?? undefined,
      }
    case 'balances': {
      const text = (asset: keyof typeof row.amounts) => {
        const amount = row.amounts[asset]
        return amount === undefined ? undefined : formatAmount(amount, asset)
      }
      return {
        ntzs: text('NTZS'),
        usdc: text('USDC'),
        usdt: text('USDT'),
        usdtBnb: text('USDT.bnb'),
        source: row.source ?? undefined,
      }
    }
    case 'quote':
      return {
        bidBps: row.bidBps,
        askBps: row.askBps,
        quoteBid: row.quoteBid,
        quoteAsk: row.quoteAsk,
        quotePairs: row.quotePairs ?? undefined,
      }
    case 'fill':
      return fieldsOfFill(row)
    case 'decision':
      return { state: row.state, bidBps: row.bidBps, askBps: row.askBps, because: row.because }
  }
}

function fieldsOfFill(row: FillRow): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    fromToken: row.from,
    toToken: row.to,
    amountIn: formatAmount(row.amountIn, row.from),
    amountOut: formatAmount(row.amountOut, row.to),
    feesEarned: row.feesEarned ?? undefined,
    protocolFee: row.protocolFee === null ? undefined : formatAmount(row.protocolFee, row.to),
    txHash: row.txHash ?? undefined,
    seenAt: optionalTime(row.seenAt),
  }
}

function optionalTime(t: Ms | null): string | undefined {
  return t === null ? undefined : timeText(t)
}

function timeText(t: Ms): string {
  return new Date(t).toISOString()
}
