import type { DatabaseSync } from 'node:sqlite'
import type { Observation } from '../engine/model/observation.ts'
import { formatAmount } from '../money/amount.ts'
import type { Amounts, Asset } from '../money/asset.ts'
import { formatDecimalText } from '../money/decimal-text.ts'
import { rateToNumber, type Rate } from '../money/rate.ts'

type Sample = Extract<Observation, { type: 'sample' }>

const COLUMNS = 18
const TZS_DECIMALS = 36
const USD_DECIMALS = 54

/** Writes one minute of a position. What is there under that moment already stays. */
export function createSampleWriter(db: DatabaseSync): (seq: number, sample: Sample) => void {
  const insert = db.prepare(`INSERT OR IGNORE INTO samples VALUES (${Array(COLUMNS).fill('?').join(', ')})`)
  return (seq, sample) => {
    const { t, mid, fairValue, bidBps, askBps, bestBidBps, bestAskBps, balances, pnl } = sample
    const tzs = (component: keyof NonNullable<Sample['pnl']>['tzs']) =>
      pnl === null ? null : nearest(pnl.tzs[component], TZS_DECIMALS)
    insert.run(
      t,
      seq,
      rate(mid),
      rate(fairValue),
      bidBps,
      askBps,
      bestBidBps,
      bestAskBps,
      whole(balances, 'NTZS'),
      whole(balances, 'USDC'),
      whole(balances, 'USDT'),
      whole(balances, 'USDT.bnb'),
      tzs('postedSpread'),
      tzs('staleMid'),
      tzs('inventory'),
      tzs('costs'),
      tzs('unexplained'),
      pnl === null ? null : nearest(pnl.totalUsd, USD_DECIMALS),
    )
  }
}

function rate(value: Rate | null): number | null {
  return value === null ? null : rateToNumber(value)
}

function whole(amounts: Amounts | null, asset: Asset): number | null {
  return amounts === null ? null : Number(formatAmount(amounts[asset], asset))
}

/** The nearest double of an exact amount. */
function nearest(value: bigint, decimals: number): number {
  return Number(formatDecimalText(value, decimals))
}
