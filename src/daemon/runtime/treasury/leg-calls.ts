import { err, ok, type Result } from '../../../base/result.ts'
import type { LoadedTreasury } from '../../config/load/treasury.ts'
import type { PartnerClient } from '../../../treasury/api/client.ts'
import type { MoneyEndpointName } from '../../../treasury/api/endpoints.ts'
import type { Payee } from '../../../treasury/model/config.ts'
import type { Intent, Leg, LegKind } from '../../../treasury/model/intent.ts'
import type { TreasuryAsset } from '../../../treasury/model/place.ts'
import { floorAboveOwn } from '../../../treasury/policy/routes/swap-terms.ts'
import { SHILLING } from '../../../treasury/policy/units.ts'

/** The money call of a leg: where it goes, and the exact text of its body. */
export type MoneyCall = { readonly endpoint: MoneyEndpointName; readonly body: string }

export type LegCallParts = {
  readonly client: Pick<PartnerClient, 'calls'>
  readonly config: Pick<LoadedTreasury, 'core' | 'lpWallet' | 'phone' | 'payerAccountNumber'>
  /** Returns the position's mid and own quote, as last read. */
  readonly seen: () => Parameters<typeof floorAboveOwn>[0]
  /** Returns the wallet of our own partner user; null = not read yet. */
  readonly treasuryAddress: () => string | null
}

/** The names of our tokens in the partner API's swaps. */
export const SWAP_TOKEN: Readonly<Record<TreasuryAsset, 'TZS_TOKEN' | 'USDC' | 'USDT'>> = {
  NTZS: 'TZS_TOKEN',
  USDC: 'USDC',
  USDT: 'USDT',
}

/** Returns the money endpoint of a leg; null = its kind is not a call of the partner API. */
export function endpointOf({ kind }: Leg): MoneyEndpointName | null {
  return ENDPOINTS[kind] ?? null
}

const ENDPOINTS: { readonly [kind in LegKind]?: MoneyEndpointName } = {
  deposit: 'createDeposit',
  transfer: 'createTransfer',
  withdrawal: 'createWithdrawal',
  swap: 'swap',
  offramp: 'offramp',
  onramp: 'onramp',
}

/** Builds the call of a leg with its current price. The caller journals it before sending. */
export function moneyCall(parts: LegCallParts, intent: Intent, leg: Leg): Result<MoneyCall, string> {
  const made = bodyOf(parts, intent, leg)
  const endpoint = endpointOf(leg)
  if (!made.ok || endpoint === null) return made.ok ? err(`${leg.kind} is no call of the partner API`) : made
  return ok({ endpoint, body: made.value })
}

function bodyOf(
  { client: { calls }, config, seen, treasuryAddress }: LegCallParts,
  intent: Intent,
  leg: Leg,
): Result<string, string> {
  const { userId } = config.core
  const amountTzs = leg.amount / SHILLING
  switch (leg.kind) {
    case 'deposit':
      return text(
        calls.createDeposit({
          amountTzs,
          userId,
          paymentMethod: 'bank_transfer',
          ...(config.payerAccountNumber != null && { payerAccountNumber: config.payerAccountNumber }),
        }),
      )
    case 'transfer': {
      const toAddress = addressFor(config, leg)
      if (toAddress === null) return err(`${leg.payee} has no address on the chain`)
      if (leg.asset === 'NTZS')
        return text(calls.createTransfer({ fromUserId: userId, amountTzs, toAddress }))
      if (leg.asset !== 'USDC') return err(`the partner API transfers no ${leg.asset}`)
      return text(calls.createTransfer({ fromUserId: userId, amount: leg.amount, token: 'USDC', toAddress }))
    }
    case 'withdrawal': {
      const terms = payoutTerms(config, leg)
      if (!terms.ok) return terms
      const quoteId = leg.quote?.quoteId ?? null
      if (quoteId === null) return err('it has no quote')
      // Only calls of the platform wallet echo a reference.
      const named = leg.from === 'platform' ? { endUser: { reference: intent.id } } : {}
      return text(calls.createWithdrawal({ ...terms.value, ...named, quoteId }))
    }
    case 'swap':
      return swapBody({ calls, seen }, userId, leg)
    case 'onramp':
    case 'offramp': {
      const quoteId = leg.quote?.quoteId ?? null
      const phoneNumber = phoneOf(config, leg)
      if (quoteId === null || phoneNumber === null) return err('it needs a quote and a phone')
      if (leg.kind === 'offramp') return text(calls.offramp({ quoteId, phoneNumber }))
      const destinationAddress = leg.to === 'lpWallet' ? config.lpWallet : treasuryAddress()
      if (destinationAddress === null) return err('the wallet of our partner user was not read yet')
      return text(calls.onramp({ quoteId, phoneNumber, destinationAddress }))
    }
    case 'spend':
    case 'lpWithdrawal':
    case 'lpActivation':
    case 'lpDeactivation':
      return err(`${leg.kind} is no call of the partner API`)
  }
}

/** Returns the body of a swap. Its floor is at least the approved one and above our own quote, which may have improved since. */
function swapBody(
  { calls, seen }: Pick<LegCallParts, 'seen'> & LegCallParts['client'],
  userId: string,
  { asset, receiveAsset, amount, leastReceived }: Leg,
): Result<string, string> {
  const floor = floorAboveOwn(seen(), asset, receiveAsset, amount)
  if (!floor.ok) return floor
  const least = floor.value > leastReceived ? floor.value : leastReceived
  return text(
    calls.swap({
      userId,
      fromToken: SWAP_TOKEN[asset],
      toToken: receiveAsset === 'NTZS' ? 'TZS_TOKEN' : 'USDC',
      amount: sixDecimals(asset, amount),
      // Round up: the floor must not fall by a rounding.
      minOutput: sixDecimals(receiveAsset, least + (receiveAsset === 'NTZS' ? 10n ** 12n - 1n : 0n)),
    }),
  )
}

/** Returns the terms of a payout, which are the same for its quote and its sending. */
export function payoutTerms(
  config: LegCallParts['config'],
  leg: Leg,
): Result<Parameters<PartnerClient['calls']['quoteWithdrawal']>[0], string> {
  const to = payeeOf(config, leg)?.to
  if (to === undefined || to.kind === 'address')
    return err(`${leg.payee} is neither a bank account nor a phone`)
  const source = leg.from === 'platform' ? { fromTreasury: true } : { userId: config.core.userId }
  const destination =
    to.kind === 'phone'
      ? { phoneNumber: to.phoneNumber }
      : { bankCode: to.bankCode, accountNumber: to.accountNumber }
  return ok({ amountTzs: leg.leastReceived / SHILLING, ...source, ...destination })
}

export function phoneOf({ core, phone }: LegCallParts['config'], leg: Leg): string | null {
  const to = payeeOf({ core }, leg)?.to
  return to?.kind === 'phone' ? to.phoneNumber : phone
}

/** Returns the listed payee of a leg; null = it does not pay an outside account. */
export function payeeOf({ core }: Pick<LegCallParts['config'], 'core'>, { payee }: Leg): Payee | null {
  return core.payees.find(({ name }) => name === payee) ?? null
}

/** Returns the destination of a transfer; null = its payee has no address. */
export function addressFor(config: LegCallParts['config'], leg: Leg): string | null {
  return leg.payee === null ? config.lpWallet : addressOf(payeeOf(config, leg))
}

function addressOf(payee: Payee | null): string | null {
  return payee?.to.kind === 'address' ? payee.to.address : null
}

/** Returns the amount with six decimals, the most that the swap API accepts; NTZS has eighteen. */
export function sixDecimals(asset: TreasuryAsset, amount: bigint): bigint {
  return asset === 'NTZS' ? amount / 10n ** 12n : amount
}

function text({ body }: { readonly body: string | null }): Result<string, string> {
  return body === null ? err('the call has no body') : ok(body)
}
