import type { Random } from '../../base/random.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { splitProtocolFee } from '../../money/payout.ts'
import { count, strikes, type VenueState } from '../state.ts'
import { fillRow } from './fill-rows.ts'
import { grossTokens, type Pair, type Price, priceSwap } from './price.ts'
import { spreadOn, type Provider, type VenueFill } from './provider.ts'
import { pickProvider } from './router.ts'

/** Slippage that simulated takers ask for: the venue's default. */
export const DEFAULT_SLIPPAGE_BPS = 100

/** A taker's wish. `maxSpreadBps` and `minOutput` are its two ways to say no; null = takes what comes. */
export type SwapOrder = {
  readonly taker: string
  readonly pair: Pair
  readonly amountIn: bigint
  readonly slippageBps: number
  readonly maxSpreadBps: number | null
  readonly minOutput: bigint | null
}

export type SwapRefusal = 'not-quotable' | 'no-provider' | 'too-wide' | 'below-minimum' | 'dust'

/** Routes, prices and settles one swap, whole or not at all. Nothing changes on a refusal. */
export function executeSwap(
  venue: VenueState,
  order: SwapOrder,
): Result<{ fill: VenueFill; provider: Provider }, SwapRefusal> {
  const { pair, amountIn } = order
  if (venue.now < venue.notQuotableUntil) return err('not-quotable')
  const provider = pickProvider(venue.providers, pair, amountIn, venue.mid, venue.options)
  if (provider === null) return err('no-provider')
  const spreadBps = spreadOn(provider, pair.side)
  if (order.maxSpreadBps !== null && spreadBps > order.maxSpreadBps) return err('too-wide')
  const price = priceSwap(pair, amountIn, venue.mid, spreadBps, venue.options, order.slippageBps)
  const paid = venue.options.paysSlippageFloor ? price.floor : price.net
  if (order.minOutput !== null && paid < order.minOutput) return err('below-minimum')
  if (paid === 0n) return err('dust')
  const fill: VenueFill = {
    id: uuid(venue.random.ids),
    at: venue.now,
    taker: order.taker,
    side: pair.side,
    from: pair.from,
    to: pair.to,
    amountIn,
    amountOut: paid,
    fee: price.fee,
    debit: venue.options.feeFrom === 'position' ? paid + debitedFee(venue, price) : paid,
    credit: amountIn - (amountIn * BigInt(venue.faults.leakBps)) / 10_000n,
    earned: grossTokens(pair, amountIn, venue.mid, 0, venue.options.bidFormula) - price.gross,
    mid: venue.mid,
    spreadBps,
    inTxHash: transactionHash(venue.random.ids),
    outTxHash: transactionHash(venue.random.ids),
  }
  settle(venue, provider, fill)
  if (provider.ours) {
    provider.fills.push(fill)
    if (fill.credit < amountIn) count(venue, 'fault leak')
    if (venue.faults.debitedFeeBps !== null) count(venue, 'fault fee off')
    publish(venue, fill)
  }
  return ok({ fill, provider })
}

function debitedFee({ faults }: VenueState, { gross, fee }: Price): bigint {
  return faults.debitedFeeBps === null ? fee : splitProtocolFee(gross, faults.debitedFeeBps).fee
}

function settle(venue: VenueState, provider: Provider, fill: VenueFill): void {
  venue.takers[fill.from] -= fill.amountIn
  provider.pool[fill.from] += fill.credit
  venue.reserve[fill.from] += fill.amountIn - fill.credit
  provider.pool[fill.to] -= fill.debit
  venue.takers[fill.to] += fill.amountOut
  venue.fees[fill.to] += fill.fee
  // Where the pool bears the fee, nobody's position does: the operator's reserve stands for the pool.
  venue.reserve[fill.to] -= fill.amountOut + fill.fee - fill.debit
  provider.feesPaid[fill.to] += fill.debit - fill.amountOut
  provider.fillCount += 1
  venue.fillCount += 1
  provider.lastFilled = venue.fillCount
}

function publish(venue: VenueState, fill: VenueFill): void {
  const { fills } = venue.faults
  const random = venue.random.fills
  if (strikes(venue, 'row missing', fills.missing, random)) return
  const row = { at: fill.at, row: fillRow(fill, venue.options.dialect, 'swap', venue.options.bareRows) }
  if (strikes(venue, 'row late', fills.late, random)) {
    const delayMs = Math.ceil(-Math.log(1 - random()) * fills.lateMeanMs)
    venue.timeline.add(venue.now + delayMs, () => venue.fillRows.show(row, fills, random))
  } else {
    venue.fillRows.show(row, fills, random)
  }
}

export function transactionHash(random: Random): string {
  let text = '0x'
  for (let i = 0; i < 8; i++) text += hex8(random)
  return text
}

function uuid(random: Random): string {
  const [a, b, c, d] = [hex8(random), hex8(random), hex8(random), hex8(random)]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
}

function hex8(random: Random): string {
  return Math.floor(random() * 4_294_967_296)
    .toString(16)
    .padStart(8, '0')
}
