import { ok, type Result } from '../base/result.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import { baseFeeOf } from './prepare-transaction.ts'
import { decoded, resultOf } from './read-head.ts'
import type { RpcEndpoint } from './rpc-endpoint.ts'
import type { RpcFailure } from './rpc-failure.ts'
import { MalformedAnswerError } from './malformed-answer-error.ts'
import { hexOf, quantityOf } from './read-hex.ts'

export type Receipt = {
  readonly hash: Hex
  readonly block: bigint
  readonly isReverted: boolean
  /** What it cost, with what a rollup charges for its data. */
  readonly gasWei: bigint
}

/** Where our transactions are, as one endpoint sees it. */
export type ReceiptsReading = {
  readonly head: bigint
  readonly baseFee: bigint
  /** Nonces below it are used up in blocks. */
  readonly nextNonce: number
  readonly receipts: ReadonlyMap<Hex, Receipt>
}

export async function readReceipts(
  endpoint: RpcEndpoint,
  maker: Hex,
  hashes: readonly Hex[],
): Promise<Result<ReceiptsReading, RpcFailure>> {
  const answer = await endpoint.ask([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getTransactionCount', params: [maker, 'latest'] },
    ...hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  ])
  if (!answer.ok) return answer
  return decoded(endpoint, () => {
    const [block, count, ...receipts] = answer.value
    const latest = resultOf(block)
    const found = receipts.map((reply) => receiptOf(resultOf(reply))).filter((receipt) => receipt !== null)
    return ok({
      head: quantityOf((latest as { number?: unknown } | null)?.number, 'the number of a block'),
      baseFee: baseFeeOf(latest),
      nextNonce: Number(quantityOf(resultOf(count), 'the nonce')),
      receipts: new Map(found.map((receipt) => [receipt.hash, receipt])),
    })
  })
}

function receiptOf(value: unknown): Receipt | null {
  if (value === null) return null
  if (typeof value !== 'object') throw new MalformedAnswerError('a receipt is none')
  const fields = value as Readonly<Record<string, unknown>>
  const { l1Fee } = fields
  const gasUsed = quantityOf(fields['gasUsed'], 'the gas of a receipt')
  const price = quantityOf(fields['effectiveGasPrice'], 'the price of a receipt')
  return {
    hash: hexOf(fields['transactionHash'], 'the hash of a receipt', 32),
    block: quantityOf(fields['blockNumber'], 'the block of a receipt'),
    isReverted: quantityOf(fields['status'], 'the status of a receipt') === 0n,
    gasWei: gasUsed * price + (l1Fee == null ? 0n : quantityOf(l1Fee, 'the data fee of a receipt')),
  }
}
