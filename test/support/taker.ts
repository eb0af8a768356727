import type { Fill } from '../../src/core/ledger/fills/fill.ts'
import { dollarsForShillings, shillingsForDollars, splitProtocolFee } from '../../src/base/money/payout.ts'
import { type RoutedStable, TOKEN_UNIT } from '../../src/base/money/asset.ts'
import type { Rate } from '../../src/base/money/rate.ts'
import type { ToyVenue } from './core-harness.ts'

export const NTZS = 10n ** 18n
/** A dollar in the venue's book. */
export const USD = 10n ** 18n
/** A dollar in units of its token, as withdrawals and orders count it. */
export const USDC = 10n ** 6n
const PROTOCOL_FEE_BPS = 10

/** A taker brings dollars (a book amount) and takes shillings at our ask around the pair's mid: the fill. */
export function bringDollars(
  venue: ToyVenue,
  amountIn: bigint,
  inAsset: RoutedStable = 'USDC',
  mid: Rate = venue.mid,
): Fill {
  const gross = shillingsForDollars(amountIn, mid, venue.held.askBps, 'down')
  const { net, fee } = splitProtocolFee(gross, PROTOCOL_FEE_BPS)
  venue.amounts[inAsset] += amountIn
  venue.amounts.NTZS -= gross
  return enter(venue, { side: 'ask', inAsset, amountIn, outAsset: 'NTZS', amountOut: net, fee })
}

/** A taker brings shillings and takes dollars at the bid that stands: the fill. */
export function bringShillings(venue: ToyVenue, amountIn: bigint): Fill {
  const gross = dollarsForShillings(amountIn, venue.mid, venue.held.bidBps, 'divide', TOKEN_UNIT.USDC, 'down')
  const { net, fee } = splitProtocolFee(gross, PROTOCOL_FEE_BPS, TOKEN_UNIT.USDC)
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
