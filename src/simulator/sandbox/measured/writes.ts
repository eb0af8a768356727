import { isAddress, zeroAddress } from 'viem'
import { z } from 'zod'
import { parseTokens, type Asset, ASSETS, type TokenAmount } from '../../../base/money/asset.ts'
import { isSpreadBps, MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import {
  EMPTY_500,
  type Handler,
  refusal,
  answer,
  type Answer,
  type SimulatedRefusal,
} from '../api/request.ts'
import { storeSpread, sendFromWallet, WithdrawalBody } from '../api/writes.ts'
import { assetOf, TOKENS } from '../market/tokens.ts'
import { ActivationRequest, failOneMore } from '../api/activate.ts'
import { transfer } from '../market/book.ts'
import { poolInBook } from '../market/provider.ts'
import { isoTime, strikes, type VenueState } from '../state.ts'
import { chainText } from '../market/measured-row.ts'
import { PRIMARY_ASSETS } from './reads.ts'

const SpreadBody = z.object({ bidBps: z.number(), askBps: z.number() })

/** PATCH /spread: flags of sides and pairs are ignored. */
export const writeMeasuredSpread: Handler = (venue, { body }) => {
  const parsed = SpreadBody.safeParse(body)
  const spreads = parsed.success ? [parsed.data.bidBps, parsed.data.askBps] : []
  if (!parsed.success || spreads.some((bps) => bps < MIN_SPREAD_BPS || bps > MAX_SPREAD_BPS))
    return refusal(
      'SPREAD_OUT_OF_RANGE',
      `Invalid spread values (${MIN_SPREAD_BPS}–${MAX_SPREAD_BPS} bps each)`,
    )
  // The column is an integer, and the route writes without validating.
  return spreads.every(isSpreadBps) ? storeSpread(venue, parsed.data) : EMPTY_500
}

/** POST /withdraw. */
export const writeMeasuredWithdrawal: Handler = (venue, { body }) => {
  const parsed = WithdrawalBody.safeParse(body)
  if (!parsed.success) return refusal('INVALID_REQUEST', 'Invalid request')
  const { token, toAddress, chain } = parsed.data
  const asset = assetOf(token.toUpperCase(), chain)
  if (asset === null) return refusal('INVALID_REQUEST', 'Invalid token')
  if (!isAddress(toAddress) || toAddress === zeroAddress)
    return refusal('INVALID_ADDRESS', 'Invalid destination address')
  const amount = parseTokens(parsed.data.amount, asset)
  if (!amount.ok) return EMPTY_500
  if (amount.value <= 0n) return refusal('INVALID_AMOUNT', 'Invalid amount')
  if (venue.ours.wallet[asset] < amount.value) return refusal('INSUFFICIENT_BALANCE', 'Insufficient balance')
  return sendFromWallet(venue, asset, amount.value, toAddress, { chain })
}

const ACTIVATION_MS = 16_700
const DEACTIVATION_MS = 12_500

type Moved = { readonly asset: Asset; readonly amount: TokenAmount }

/** PATCH /activate. Whether a second one is refused while one runs was not measured. */
export const patchActivation: Handler = (venue, { body }) => {
  const parsed = ActivationRequest.safeParse(body)
  if (!parsed.success) return refusal('INVALID_REQUEST', 'isActive must be a boolean')
  if (venue.isActivating || strikes(venue, 'activation busy', venue.faults.busyActivation))
    return refusal('ACTIVATION_IN_PROGRESS', 'Another activation is running')
  return parsed.data.isActive ? sweepWallet(venue) : returnPool(venue)
}

/** Sweeps one token after the other into the pool; the account is active at the end. */
function sweepWallet(venue: VenueState): Answer | SimulatedRefusal {
  const { ours, options } = venue
  const held = PRIMARY_ASSETS.filter((asset) => ours.wallet[asset] > 0n)
  if (held.length === 0)
    return refusal('INSUFFICIENT_BALANCE', 'No token balance found. Please deposit nTZS or USDC first.')
  const stops = held.length > 1 && strikes(venue, 'activation half', venue.faults.halfActivation)
  const swept = held
    .slice(0, stops ? 1 : held.length)
    .map((asset): Moved => ({ asset, amount: ours.wallet[asset] }))
  const durationMs = (options.activationDelayMs ?? ACTIVATION_MS) * (swept.length / held.length)
  const doneAt = oneByOne(venue, swept, durationMs, (moved) => sweepToken(venue, moved))
  venue.timeline.add(doneAt, () => {
    if (!stops) ours.isActive = true
    endActivation(venue)
  })
  if (stops) return { ...EMPTY_500, delayMs: doneAt - venue.now }
  return answer(
    200,
    {
      isActive: true,
      walletAddress: options.walletAddress,
      swept: swept.map(movedText),
      updatedAt: isoTime(doneAt),
    },
    doneAt - venue.now,
  )
}

function sweepToken(venue: VenueState, { asset, amount }: Moved): void {
  const { ours } = venue
  // A withdrawal may have happened in between.
  const swept = ours.wallet[asset] < amount ? ours.wallet[asset] : amount
  if (swept <= 0n) return
  ours.wallet[asset] -= swept
  ours.pool[asset] += swept
  ours.transfers.push(transfer(venue, 'sweep-to-pool', asset, swept))
}

const DECODING_ERROR =
  'could not decode result data (value="0x", info={ "method": "balanceOf", "signature": "balanceOf(address)" }, code=BAD_DATA)'
const SHORT_POOL = 'insufficient solver balance to return in full'

/**
 * Pays out the current positions, one token after the other, in whole units. The position is routable until the end;
 * then its rows are deleted, including later fills and remainders. Ignores `isActive`.
 */
function returnPool(venue: VenueState): Answer {
  const { ours, options } = venue
  const held = ASSETS.filter((asset) => poolInBook(ours, asset) > 0n)
  const short = held.filter((asset) => venue.poolShortfall[asset] > 0n && TOKENS[asset].chain === 'base')
  const returnable = held.filter((asset) => TOKENS[asset].chain === 'base')
  if (strikes(venue, 'deactivation partial', venue.faults.partialDeactivation))
    failOneMore(venue, returnable, short)
  const ended = returnable.filter((asset) => !short.includes(asset)).reverse()
  const failed = held.filter((asset) => !ended.includes(asset))
  const returned = ended
    .filter((asset) => ours.pool[asset] > 0n)
    .map((asset): Moved => ({ asset, amount: ours.pool[asset] }))
  const durationMs = held.length === 0 ? 0 : (options.activationDelayMs ?? DEACTIVATION_MS)
  const doneAt = oneByOne(venue, returned, durationMs, (moved) => payToken(venue, moved))
  venue.timeline.add(doneAt, () => {
    for (const asset of ended) deletePosition(venue, asset)
    if (failed.length === 0) ours.isActive = false
    endActivation(venue)
  })
  const body = {
    isActive: failed.length > 0,
    walletAddress: options.walletAddress,
    returned: returned.map(movedText),
  }
  if (failed.length === 0) return answer(200, { ...body, updatedAt: isoTime(doneAt) }, doneAt - venue.now)
  const reasons = failed.map((asset) => ({
    ...tokenText(asset),
    reason: TOKENS[asset].chain === 'base' ? SHORT_POOL : DECODING_ERROR,
  }))
  const error = 'Some tokens could not be returned. Please try again.'
  return answer(207, { ...body, failed: reasons, partial: true, error }, doneAt - venue.now)
}

/** The reserve pays: until the row is deleted, both wallet and pool show the token. */
function payToken(venue: VenueState, { asset, amount }: Moved): void {
  venue.reserve[asset] -= amount
  venue.ours.wallet[asset] += amount
  venue.ours.transfers.push(transfer(venue, 'sweep-to-wallet', asset, amount))
}

/**
 * Deletes a position; the venue keeps its remainder: a fraction of a unit, and fills since the deactivation began.
 */
function deletePosition(venue: VenueState, asset: Asset): void {
  const { ours } = venue
  venue.reserve[asset] += ours.pool[asset]
  venue.rests[asset] += ours.poolRest[asset]
  ours.pool[asset] = 0n
  ours.poolRest[asset] = 0n
  ours.earned[asset] = 0n
}

/** Runs a step for each at equal intervals and returns when the last one is done. */
function oneByOne(
  venue: VenueState,
  moves: readonly Moved[],
  durationMs: number,
  move: (moved: Moved) => void,
): number {
  const startedAt = venue.now
  venue.isActivating = true
  for (const [index, moved] of moves.entries()) {
    const after = Math.round((durationMs * (index + 1)) / moves.length)
    venue.timeline.add(startedAt + after, () => move(moved))
  }
  return startedAt + Math.round(durationMs)
}

function endActivation(venue: VenueState): void {
  venue.isActivating = false
  venue.activatedAt ??= venue.now
}

function tokenText(asset: Asset): { readonly tokenAddress: string; readonly symbol: string } {
  return { tokenAddress: TOKENS[asset].address.toLowerCase(), symbol: TOKENS[asset].symbol }
}

function movedText({ asset, amount }: Moved): object {
  return { ...tokenText(asset), amount: chainText(amount, asset) }
}
