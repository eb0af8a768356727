import type { Fill } from '../../src/ledger/fills/fill.ts'
import { dollarsForShillings, shillingsForDollars, splitProtocolFee } from '../../src/money/payout.ts'
import type { ToyVenue } from './core-harness.ts'

export const NTZS = 10n ** 18n
export const USD = 10n ** 6n
const PROTOCOL_FEE_BPS = 10

/** A taker brings dollars (base units of USDC) and takes shillings at the ask that stands: the fill. */
export function bringDollars(venue: ToyVenue, amountIn: bigint): Fill {
  const gross = shillingsForDollars(amountIn, 'USDC', venue.mid, venue.held.askBps, 'down')
  const { net, fee } = splitProtocolFee(gross, PROTOCOL_FEE_BPS)
  venue.amounts.USDC += amountIn
  venue.amounts.NTZS -= gross
  return enter(venue, { side: 'ask', inAsset: 'USDC', amountIn, outAsset: 'NTZS', amountOut: net, fee })
}

/** A taker brings shillings and takes dollars at the bid that stands: the fill. */
export function bringShillings(venue: ToyVenue, amountIn: bigint): Fill {
  const gross = dollarsForShillings(amountIn, 'USDC', venue.mid, venue.held.bidBps, 'divide', 'down')
  const { net, fee } = splitProtocolFee(gross, PROTOCOL_FEE_BPS)
  venue.amounts.NTZS += amountIn
  venue.amounts.USDC -= gross
  return enter(venue, { side: 'bid', inAsset: 'NTZS', amountIn, outAsset: 'USDC', amountOut: net, fee })
}

function enter(
  venue: ToyVenue,
  trade: Pick<Fill, 'side' | 'inAsset' | 'amountIn' | 'outAsset' | 'amountOut' | 'fee'>,
): Fill {
  const id = `fill-${venue.fills.length + 1}`
  const fill = { ...trade, id, earnedText: null, txHash: null, createdAt: null, raw: '{}' }
  venue.fills.push(fill)
  return fill
}
