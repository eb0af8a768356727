import { broadcast, signVersion } from './broadcast.ts'
import type { SenderParts, TransactionEvent } from './sender-parts.ts'
import { baseFeeOf, higherFees } from './prepare-transaction.ts'
import type { TrackedTransaction, TransactionVersion } from './transaction-store.ts'
import { ok, type Result } from '../../../base/result.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import type { RpcEndpoint } from '../rpc/rpc-endpoint.ts'
import type { RpcFailure } from '../rpc/rpc-failure.ts'
import { MalformedAnswerError, decoded, hexOf, quantityOf, resultOf } from '../rpc/decode.ts'

/**
 * Checks our transactions once: removes final ones, reports their gas, resends those undone by a reorganisation, and
 * replaces those that wait too long. Without an answer it changes nothing. Must not run concurrently with itself or
 * with a send.
 */
export async function followTransactions(parts: SenderParts): Promise<void> {
  const { pool, settings, store } = parts
  const transactions = store.all()
  if (transactions.length === 0) return
  const hashes = transactions.flatMap(({ versions }) => versions.map(({ hash }) => hash))
  const seen = await pool.first((endpoint) => readReceipts(endpoint, settings.maker, hashes))
  if (!seen.ok) return
  for (const transaction of transactions) {
    const receipt = transaction.versions
      .map(({ hash }) => seen.value.receipts.get(hash))
      .find((known) => known !== undefined)
    if (receipt !== undefined) await onMined(transaction, receipt, seen.value, parts)
    else await onWaiting(transaction, seen.value, parts)
  }
}

/** Sends a signed transaction again unchanged, because it may never have reached the network. */
export async function rebroadcast(transaction: TrackedTransaction, parts: SenderParts): Promise<void> {
  const version = latestOf(transaction)
  const outcome = await broadcast(parts.pool, version.raw)
  const isIn = outcome.kind === 'accepted'
  report(isIn ? 'sent-again' : 'trouble', transaction, parts, isIn ? '' : outcome.words)
}

async function onMined(
  transaction: TrackedTransaction,
  { hash, block, isReverted, gasWei }: Receipt,
  { head }: ReceiptsReading,
  parts: SenderParts,
): Promise<void> {
  const { settings, store, onGas } = parts
  const { mined, isGasTold, nonce, purpose } = transaction
  const isNews = mined?.hash !== hash || mined.block !== block
  if (isNews) {
    const known = { ...transaction, mined: { hash, block, isReverted }, isGasTold: true }
    if (!(await kept(known, parts))) return
    if (!isGasTold) onGas?.(gasWei, purpose)
    report(isReverted ? 'reverted' : 'mined', known, parts, `in block ${block}`)
  }
  if (head - block < BigInt(settings.confirmations)) return
  const removed = await store.remove(nonce)
  if (removed.ok) report('final', transaction, parts)
  else report('trouble', transaction, parts, removed.error)
}

async function onWaiting(
  transaction: TrackedTransaction,
  { nextNonce, baseFee }: ReceiptsReading,
  parts: SenderParts,
): Promise<void> {
  const { settings, store, now } = parts
  if (transaction.mined !== null) {
    const undone = { ...transaction, mined: null }
    report('undone', transaction, parts, 'its block is gone')
    if (await kept(undone, parts)) await rebroadcast(undone, parts)
    return
  }
  if (now() - latestOf(transaction).sentAt < settings.replaceAfterMs) return
  if (transaction.nonce >= nextNonce) return replace(transaction, baseFee, parts)
  // Only after that time, because a node may count the nonce before it shows the receipt.
  const removed = await store.remove(transaction.nonce)
  if (removed.ok) report('superseded', transaction, parts)
}

/** Replaces a transaction under the same nonce, so that only one of the two can be mined. */
async function replace(transaction: TrackedTransaction, baseFee: bigint, parts: SenderParts): Promise<void> {
  const { settings, pool } = parts
  const fees = higherFees(latestOf(transaction), baseFee, settings)
  if (fees === null) {
    report('fee-capped', transaction, parts, `maxFeeGwei is ${settings.maxFeeGwei}`)
    const waiting = { ...latestOf(transaction), sentAt: parts.now() }
    if (await kept(withLatest(transaction, waiting), parts)) await rebroadcast(transaction, parts)
    return
  }
  const version = await signVersion(transaction, fees, parts)
  if (!version.ok) return report('trouble', transaction, parts, version.error.words)
  const [first, ...others] = transaction.versions
  const replaced: TrackedTransaction = { ...transaction, versions: [first, ...others, version.value] }
  if (!(await kept(replaced, parts))) return
  const outcome = await broadcast(pool, version.value.raw)
  const isIn = outcome.kind === 'accepted'
  report(isIn ? 'replaced' : 'trouble', replaced, parts, isIn ? '' : outcome.words)
}

function withLatest(transaction: TrackedTransaction, version: TransactionVersion): TrackedTransaction {
  const [first, ...others] = transaction.versions
  return others.length === 0
    ? { ...transaction, versions: [version] }
    : { ...transaction, versions: [first, ...others.slice(0, -1), version] }
}

async function kept(transaction: TrackedTransaction, parts: SenderParts): Promise<boolean> {
  const written = await parts.store.put(transaction)
  if (!written.ok) report('trouble', transaction, parts, written.error)
  return written.ok
}

function latestOf({ versions }: TrackedTransaction): TransactionVersion {
  return versions.at(-1) ?? versions[0]
}

function report(
  kind: TransactionEvent['kind'],
  transaction: TrackedTransaction,
  { onTransaction }: SenderParts,
  words = '',
): void {
  const { nonce, purpose, mined } = transaction
  onTransaction?.({ kind, nonce, purpose, txHash: mined?.hash ?? latestOf(transaction).hash, words })
}

type Receipt = {
  readonly hash: Hex
  readonly block: bigint
  readonly isReverted: boolean
  /** Its cost, including a rollup's data fee. */
  readonly gasWei: bigint
}

/** The receipts of our transactions and the wallet's nonce, from one endpoint. */
type ReceiptsReading = {
  readonly head: bigint
  readonly baseFee: bigint
  /** All lower nonces are mined. */
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
  if (typeof value !== 'object') throw new MalformedAnswerError('a receipt is not an object')
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
