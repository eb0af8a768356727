import { encodeFunctionData, erc20Abi, isAddressEqual, parseAbi, parseEventLogs, type Log } from 'viem'
import { err, ok, type Result } from '../../../base/result.ts'
import type { VenueFailure } from '../../../core/engine/model/venue-answer.ts'
import type { Asset } from '../../../base/money/asset.ts'
import { type Hex, MAX_UINT128, type OrderCancel } from '../../../core/rfq/rfq-order.ts'
import type { Chain, ChainSettings, SentTransaction } from '../chain.ts'
import { decoded, resultOf } from '../rpc/decode.ts'
import type { EndpointPool } from '../rpc/endpoint-pool.ts'
import { type RpcFailure, rpcFailure, toChainFailure } from '../rpc/rpc-failure.ts'
import type { TransactionSender } from './transaction-sender.ts'
import { EXCHANGE_ABI } from '../../../core/rfq/exchange-abi.ts'
import type { TransactionCall } from './prepare-transaction.ts'

type ApproveParts = {
  readonly settings: ChainSettings
  readonly pool: EndpointPool
  readonly sender: TransactionSender
  readonly wallet: Chain['wallet']
}

type Approved = Result<SentTransaction | null, VenueFailure>

const ROUTE = 'chain approve'
const MAX_UINT256 = (1n << 256n) - 1n

/**
 * Sets the exchange's allowance to exactly `amount` and verifies it. If one of our orders fills before the check, less is left, and
 * the token's own event is the proof. Sets it to 0 first if the token refuses to change a non-zero allowance (USDT on Ethereum). Null = the
 * allowance already is `amount`.
 */
export async function approveAllowance(
  asset: Asset,
  amount: bigint,
  { settings, pool, sender, wallet }: ApproveParts,
): Promise<Approved> {
  const token = settings.tokens[asset]
  if (token === undefined) return refused('UNKNOWN_TOKEN', `the settings have no token for ${asset}`)
  const highest = settings.approveUnlimited ? MAX_UINT256 : MAX_UINT128
  if (amount < 0n || amount > highest)
    return refused('AMOUNT_OUT_OF_RANGE', `an allowance of ${amount} is not between 0 and ${highest}`)
  const mayChange = await sender.isUnderWay(token)
  const before = await wallet()
  if (!before.ok) return before
  const current = before.value.allowances[asset]
  if (current === amount && !mayChange) return ok(null)

  const set = async (value: bigint): Promise<Result<SentTransaction, VenueFailure>> => {
    const args = [settings.exchange, value] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    const sent = await sender.send({ to: token, data, purpose: 'approve' }, ROUTE)
    return sent.ok ? sender.settle(sent.value, ROUTE) : sent
  }
  let done = await set(amount)
  const wantsReset = !done.ok && done.error.kind === 'refused' && isRevert(done.error)
  if (wantsReset && current !== 0n && amount !== 0n) {
    const reset = await set(0n)
    if (!reset.ok) return reset
    done = await set(amount)
  }
  if (!done.ok) return done
  const after = await wallet()
  if (!after.ok) return after
  const left = after.value.allowances[asset]
  if (left === amount) return done
  const isSet = await reportsApproval({ settings, pool }, done.value, { token, amount })
  if (!isSet.ok) return err(toChainFailure(ROUTE, isSet.error, 'unknown'))
  if (isSet.value && left !== undefined && left < amount) return done
  return refused('ALLOWANCE_NOT_SET', `the allowance of ${asset} is ${left} after the approval`)
}

/** Returns whether the token reports in the receipt that it set this allowance (ERC-20, event Approval). */
function reportsApproval(
  { settings, pool }: Pick<ApproveParts, 'settings' | 'pool'>,
  { txHash }: SentTransaction,
  { token, amount }: { readonly token: Hex; readonly amount: bigint },
): Promise<Result<boolean, RpcFailure>> {
  return pool.first(async (endpoint) => {
    const answer = await endpoint.ask([{ method: 'eth_getTransactionReceipt', params: [txHash] }])
    if (!answer.ok) return answer
    return decoded(endpoint, () => {
      const { logs } = resultOf(answer.value[0]) as { readonly logs: Log[] }
      const events = parseEventLogs({ abi: erc20Abi, eventName: 'Approval', logs })
      const isOurs = ({ address, args }: (typeof events)[number]) =>
        isAddressEqual(address, token) &&
        isAddressEqual(args.owner, settings.maker) &&
        isAddressEqual(args.spender, settings.exchange) &&
        args.value === amount
      return ok(events.some(isOurs))
    })
  })
}

/** Returns whether the token refused the call; lack of gas and endpoint failures have other codes. */
function isRevert({ code }: VenueFailure): boolean {
  return code === 'REVERTED'
}

function refused(code: string, words: string): Approved {
  return err(toChainFailure(ROUTE, rpcFailure('refused', words, { code, retriable: false })))
}

const ABI = parseAbi(EXCHANGE_ABI)

/** Returns the call that cancels these orders; null for an empty list or an order with a field that does not fit. */
export function cancelCall(cancel: OrderCancel, exchange: Hex): TransactionCall | null {
  try {
    return encodeCancel(cancel, exchange)
  } catch {
    return null
  }
}

function encodeCancel(cancel: OrderCancel, exchange: Hex): TransactionCall | null {
  if (cancel.kind === 'pair') {
    const { makerToken, takerToken, minValidSalt } = cancel
    const data = encodeFunctionData({
      abi: ABI,
      functionName: 'cancelPairRfqOrders',
      args: [makerToken, takerToken, minValidSalt],
    })
    return { to: exchange, data, purpose: 'cancel-pair' }
  }
  const [first, ...others] = cancel.orders
  if (first === undefined) return null
  const data =
    others.length === 0
      ? encodeFunctionData({ abi: ABI, functionName: 'cancelRfqOrder', args: [first] })
      : encodeFunctionData({ abi: ABI, functionName: 'batchCancelRfqOrders', args: [cancel.orders] })
  return { to: exchange, data, purpose: 'cancel' }
}
