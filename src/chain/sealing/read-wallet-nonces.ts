import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem'
import { err, ok, type Result } from '../../base/result.ts'
import { EXCHANGE_ABI } from '../../rfq/exchange-abi.ts'
import type { Hex } from '../../rfq/rfq-order.ts'
import type { WalletNonces } from '../../rfq/sealed/plan-seal.ts'
import { decoded, quantityOf, readHex, resultOf } from '../rpc/decode.ts'
import type { RpcEndpoint } from '../rpc/rpc-endpoint.ts'
import { rpcFailure, type RpcFailure } from '../rpc/rpc-failure.ts'

const ABI = parseAbi(EXCHANGE_ABI)
const CANCEL_PAIRS = toFunctionSelector('batchCancelPairRfqOrders(address[],address[],uint256[])')

/** The wallet's nonces by one endpoint. Fails where the exchange cannot cancel several pairs in one transaction. */
export async function readWalletNonces(
  endpoint: RpcEndpoint,
  { maker, exchange }: { readonly maker: Hex; readonly exchange: Hex },
): Promise<Result<WalletNonces, RpcFailure>> {
  const data = encodeFunctionData({
    abi: ABI,
    functionName: 'getFunctionImplementation',
    args: [CANCEL_PAIRS],
  })
  const answer = await endpoint.ask([
    { method: 'eth_getTransactionCount', params: [maker, 'latest'] },
    { method: 'eth_getTransactionCount', params: [maker, 'pending'] },
    { method: 'eth_call', params: [{ to: exchange, data }, 'latest'] },
  ])
  if (!answer.ok) return answer
  return decoded(endpoint, () => {
    const [latest, pending, feature] = answer.value
    const implementation = readHex(resultOf(feature), 32)
    if (implementation === null || BigInt(implementation) === 0n) {
      const words = `${endpoint.label} shows at ${exchange} no exchange that cancels several pairs at once (${CANCEL_PAIRS})`
      return err(rpcFailure('refused', words, { code: 'CHAIN_MISMATCH', retriable: false, isAnswer: true }))
    }
    const mined = Number(quantityOf(resultOf(latest), 'the nonce'))
    return ok({ mined, next: Math.max(mined, Number(quantityOf(resultOf(pending), 'the nonce'))) })
  })
}
