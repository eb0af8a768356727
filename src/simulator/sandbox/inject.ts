import { z } from 'zod'
import { type Asset, ASSETS, formatTokens, parseTokens } from '../../base/money/asset.ts'
import { formatRate, parseRate, type Rate } from '../../base/money/rate.ts'
import { transfer } from './market/book.ts'
import { transactionHash } from './market/execute-swap.ts'
import { setCompetitorQuote } from './market/provider.ts'
import { isoTime, publishMid, type VenueState } from './state.ts'
import { FaultsSchema, mergeFaults, NextRequestSchema } from './faults.ts'

const isShillings = (text: string): boolean => units('NTZS', text) > 0n

/** A taker sells a token that the provider cannot own, and receives shillings of its pool. */
const ThirdTokenSchema = z.strictObject({
  symbol: z.enum(['TGBP', 'ZARP']),
  amountIn: z.string().regex(/^\d{1,12}(\.\d{1,6})?$/),
  ntzs: z.string().refine(isShillings, 'ntzs must be a positive decimal'),
})

function fillThirdToken(
  venue: VenueState,
  { symbol, amountIn, ntzs }: NonNullable<Wanted['thirdToken']>,
): void {
  const amountOut = units('NTZS', ntzs)
  venue.ours.pool.NTZS -= amountOut
  venue.takers.NTZS += amountOut
  const hash = transactionHash(venue.random.ids)
  const row = {
    id: `${symbol}-${hash.slice(2, 14)}`,
    fromToken: symbol,
    toToken: 'NTZS',
    amountIn,
    amountOut: formatTokens(amountOut, 'NTZS'),
    createdAt: isoTime(venue.now),
    feesEarned: '0',
    txHash: hash,
  }
  venue.fillRows.show({ at: venue.now, row }, venue.faults.fills, venue.random.fills)
}

const bps = z.int().min(0).max(9_999).nullable()
const money = z
  .strictObject({ asset: z.enum(ASSETS), amount: z.string() })
  .refine(({ asset, amount }) => units(asset, amount) > 0n, 'amount must be a positive decimal of the asset')
const rate = z.union([z.string(), z.number()]).refine((value) => parseRate(value).ok, 'not a TZS/USD rate')

/** The actions of the control API on a running venue; several in one call are executed in this order. */
export const InjectionSchema = z.strictObject({
  /** Merged into the current fault options. */
  faults: z.record(z.string(), z.unknown()).optional(),
  /** Faults of the next requests on a route. */
  nextRequest: z.union([NextRequestSchema, z.array(NextRequestSchema)]).optional(),
  /** Publishes a new mid, dated now, even while the mid is frozen. */
  print: z.strictObject({ mid: rate }).optional(),
  /** Moves the mid by that many bps, dated now. */
  jump: z.strictObject({ bps: z.number().gt(-9_000).max(90_000) }).optional(),
  /** Suppresses publications, or ends that. */
  freeze: z.boolean().optional(),
  /** The rate is not quotable for that long. */
  notQuotable: z.strictObject({ ms: z.number().min(0) }).optional(),
  /** Every request is answered 503 with a page for that long. */
  outage: z.strictObject({ ms: z.number().min(0) }).optional(),
  /** Tokens arrive in our wallet from outside. */
  externalTransfer: money.optional(),
  /** Tokens leave our account without a fill, a withdrawal or a notice. */
  steal: z
    .strictObject({ asset: z.enum(ASSETS), amount: z.string(), from: z.enum(['pool', 'wallet']) })
    .optional(),
  /** The pool holds this much less than its claims: the asset cannot be returned ('0' heals it). */
  poolShortfall: z
    .strictObject({ asset: z.enum(ASSETS), amount: z.string() })
    .refine(({ asset, amount }) => units(asset, amount) >= 0n, 'amount must be a decimal of the asset')
    .optional(),
  /** Sets the spreads of a competitor; null closes the side. */
  competitor: z.strictObject({ name: z.string(), bidBps: bps, askBps: bps }).optional(),
  /** Overrides the exchange contract's status of an order, by hash or `*` for every order; null removes the override. */
  orderStatus: z
    .strictObject({
      orderHash: z.string(),
      status: z.enum(['FILLED', 'CANCELLED', 'EXPIRED', 'INVALID']).nullable(),
    })
    .optional(),
  /** A fill in a token that the provider cannot own. */
  thirdToken: ThirdTokenSchema.optional(),
  /** The operator takes our position out of the router. */
  suspended: z.boolean().optional(),
  /** The operator sets our account inactive; the tokens stay in the pool. */
  setInactive: z.literal(true).optional(),
})
export type Injection = z.input<typeof InjectionSchema>
type Wanted = z.output<typeof InjectionSchema>

/** Executes an injection. Throws ZodError or Error, with nothing changed, if it is invalid. */
export function inject(venue: VenueState, input: unknown): void {
  const wanted = InjectionSchema.parse(input)
  const faults = wanted.faults === undefined ? venue.faults : mergeFaults(venue.faults, wanted.faults)
  checkFunds(venue, wanted)
  const { competitor } = wanted
  const rival = competitor && venue.providers.find(({ name, ours }) => name === competitor.name && !ours)
  if (competitor !== undefined && rival === undefined)
    throw new Error(`there is no competitor ${competitor.name}`)
  const mid = nextMid(venue, wanted)
  venue.faults =
    wanted.freeze === undefined ? faults : FaultsSchema.parse({ ...faults, frozenMid: wanted.freeze })
  if (wanted.nextRequest !== undefined) venue.nextRequests.push(...[wanted.nextRequest].flat())
  if (mid !== null) publishMid(venue, mid)
  if (wanted.notQuotable !== undefined) venue.notQuotableUntil = venue.now + wanted.notQuotable.ms
  if (wanted.outage !== undefined) venue.outageUntil = venue.now + wanted.outage.ms
  if (wanted.externalTransfer !== undefined) deposit(venue, wanted.externalTransfer)
  if (wanted.steal !== undefined) steal(venue, wanted.steal)
  if (wanted.thirdToken !== undefined) fillThirdToken(venue, wanted.thirdToken)
  const { poolShortfall, orderStatus } = wanted
  if (poolShortfall !== undefined)
    venue.poolShortfall[poolShortfall.asset] = units(poolShortfall.asset, poolShortfall.amount)
  if (competitor !== undefined && rival !== undefined)
    setCompetitorQuote(rival, competitor.bidBps, competitor.askBps)
  if (orderStatus !== undefined) {
    if (orderStatus.status === null) venue.orderMarks.delete(orderStatus.orderHash)
    else venue.orderMarks.set(orderStatus.orderHash, orderStatus.status)
  }
  if (wanted.suspended !== undefined) venue.ours.isSuspended = wanted.suspended
  if (wanted.setInactive === true) venue.ours.isActive = false
}

/** Returns the mid after a publication, a jump or both, without applying it, so that an invalid rate is refused before anything changes. */
function nextMid(venue: VenueState, { print, jump }: Wanted): Rate | null {
  if (print === undefined && jump === undefined) return null
  const printed = print === undefined ? null : parseRate(print.mid)
  const base = printed?.ok === true ? printed.value : venue.mid
  const mid = jump === undefined ? base : (base * BigInt(Math.round((10_000 + jump.bps) * 100))) / 1_000_000n
  const checked = parseRate(formatRate(mid))
  if (!checked.ok) throw new Error(`the mid would be no rate: ${checked.error.message}`)
  return mid
}

function deposit(venue: VenueState, { asset, amount }: { asset: Asset; amount: string }): void {
  const value = units(asset, amount)
  venue.ours.wallet[asset] += value
  venue.external[asset] -= value
  venue.ours.transfers.push(transfer(venue, 'deposit', asset, value))
}

/** Throws if a step would take more than wallet or pool hold once the steps before it are done. */
function checkFunds({ ours }: VenueState, { externalTransfer, steal: theft, thirdToken }: Wanted): void {
  const held = { pool: { ...ours.pool }, wallet: { ...ours.wallet } }
  if (externalTransfer !== undefined)
    held.wallet[externalTransfer.asset] += units(externalTransfer.asset, externalTransfer.amount)
  if (theft !== undefined) {
    const { asset, amount, from } = theft
    const value = units(asset, amount)
    held[from][asset] -= value
    if (value <= 0n || held[from][asset] < 0n)
      throw new Error(`the ${from} holds less than ${amount} ${asset}`)
  }
  if (thirdToken !== undefined && held.pool.NTZS < units('NTZS', thirdToken.ntzs))
    throw new Error(`the pool holds less than ${thirdToken.ntzs} NTZS`)
}

function steal(venue: VenueState, { asset, amount, from }: NonNullable<Wanted['steal']>): void {
  const value = units(asset, amount)
  venue.ours[from][asset] -= value
  venue.external[asset] += value
  venue.ours.transfers.push(transfer(venue, `stolen-from-${from}`, asset, value))
}

/** Returns base units; -1 = not an amount of the asset, which every caller refuses. */
function units(asset: Asset, amount: string): bigint {
  const parsed = parseTokens(amount, asset)
  return parsed.ok ? parsed.value : -1n
}
