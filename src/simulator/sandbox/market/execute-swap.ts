import type { Random } from '../../../base/random.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { splitProtocolFee } from '../../../base/money/payout.ts'
import { pairMid, grossTokens, type Pair, type Price, priceSwap } from './price.ts'
import type { FillSource } from './measured-price.ts'
import { fillMeasured, settleMeasured } from './measured-fill.ts'
import { count, strikes, type VenueState } from '../state.ts'
import { fillRow } from './fill-rows.ts'
import { spreadOn, type Provider, type VenueFill } from './provider.ts'
import { pickProvider, routerTerms } from './router.ts'

/** Slippage that simulated takers ask for: the venue's default. */
export const DEFAULT_SLIPPAGE_BPS = 100

/** A taker's order. It is refused beyond `maxSpreadBps` or below `minOutput`; null = no limit. */
export type SwapOrder = {
  readonly taker: string
  readonly pair: Pair
  readonly amountIn: bigint
  readonly slippageBps: number
  readonly maxSpreadBps: number | null
  readonly minOutput: bigint | null
  /** Default: the partner API's swap. Only the measured venue distinguishes sources. */
  readonly source?: FillSource
}

export type SwapRefusal = 'not-quotable' | 'no-provider' | 'too-wide' | 'below-minimum' | 'dust'

/** Routes, prices and settles one swap completely or not at all. A refusal changes nothing. */
export function executeSwap(
  venue: VenueState,
  order: SwapOrder,
): Result<{ fill: VenueFill; provider: Provider }, SwapRefusal> {
  const { pair, amountIn, source = 'waas' } = order
  const { options } = venue
  if (venue.now < venue.notQuotableUntil) return err('not-quotable')
  const mid = pairMid(venue, pair.stable)
  const provider = pickProvider(venue.providers, pair, amountIn, mid.rate, routerTerms(options, source))
  if (provider === null) return err('no-provider')
  const spreadBps = spreadOn(provider, pair.side)
  if (order.maxSpreadBps !== null && spreadBps > order.maxSpreadBps) return err('too-wide')
  const amounts =
    options.venue === 'measured'
      ? fillMeasured(venue, order, mid.number, spreadBps)
      : fillByContract(venue, order, spreadBps)
  if (order.minOutput !== null && amounts.amountOut < order.minOutput) return err('below-minimum')
  if (amounts.amountOut <= 0n) return err('dust')
  const fill: VenueFill = {
    id: uuid(venue.random.ids),
    at: venue.now,
    taker: order.taker,
    side: pair.side,
    from: pair.from,
    to: pair.to,
    amountIn,
    ...amounts,
    credit: amountIn - (amountIn * BigInt(venue.faults.leakBps)) / 10_000n,
    mid: mid.rate,
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

function fillByContract(
  venue: VenueState,
  { pair, amountIn, slippageBps }: SwapOrder,
  spreadBps: number,
): Pick<VenueFill, 'amountOut' | 'fee' | 'debit' | 'earned'> {
  const { mid, options } = venue
  const price = priceSwap(pair, amountIn, mid, spreadBps, options, slippageBps)
  const amountOut = options.paysSlippageFloor ? price.floor : price.net
  return {
    amountOut,
    fee: price.fee,
    debit: options.feeFrom === 'position' ? amountOut + debitedFee(venue, price) : amountOut,
    earned: grossTokens(pair, amountIn, mid, 0, options.bidFormula) - price.gross,
  }
}

function debitedFee({ faults }: VenueState, { gross, fee }: Price): bigint {
  return faults.debitedFeeBps === null ? fee : splitProtocolFee(gross, faults.debitedFeeBps).fee
}

function settle(venue: VenueState, provider: Provider, fill: VenueFill): void {
  if (fill.measured === undefined) settleByContract(venue, provider, fill)
  else settleMeasured(venue, provider, fill, fill.measured)
  provider.feesPaid[fill.to] += fill.debit - fill.amountOut
  provider.fillCount += 1
  venue.fillCount += 1
  provider.lastFilled = venue.fillCount
}

function settleByContract(venue: VenueState, provider: Provider, fill: VenueFill): void {
  venue.takers[fill.from] -= fill.amountIn
  provider.pool[fill.from] += fill.credit
  venue.reserve[fill.from] += fill.amountIn - fill.credit
  provider.pool[fill.to] -= fill.debit
  venue.takers[fill.to] += fill.amountOut
  venue.fees[fill.to] += fill.fee
  // If the pool bears the fee, no position does: the operator's reserve pays instead.
  venue.reserve[fill.to] -= fill.amountOut + fill.fee - fill.debit
}

function publish(venue: VenueState, fill: VenueFill): void {
  const { fills } = venue.faults
  const random = venue.random.fills
  if (strikes(venue, 'row missing', fills.missing, random)) return
  const row = { at: fill.at, row: fillRow(fill, venue.options) }
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
