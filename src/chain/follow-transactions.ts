import { broadcast } from './broadcast.ts'
import { readReceipts, type Receipt, type ReceiptsReading } from './read-receipts.ts'
import type { SenderParts } from './sender-parts.ts'
import { signVersion } from './sign-version.ts'
import type { TransactionEvent } from './transaction-event.ts'
import { higherFees } from './transaction-fees.ts'
import type { KeptTransaction, TransactionVersion } from './transaction-store.ts'

/**
 * Looks once where our transactions are: forgets what is buried deep enough, tells its gas, sends again
 * what a reorganisation undid, replaces what waits too long. Must not run beside itself or beside a send.
 * An endpoint that does not answer changes nothing.
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
    if (receipt !== undefined) await noteMined(transaction, receipt, seen.value, parts)
    else await noteWaiting(transaction, seen.value, parts)
  }
}

/** Gives what was signed to the network as it is. After a restart nobody knows whether it ever got there. */
export async function sendAgain(transaction: KeptTransaction, parts: SenderParts): Promise<void> {
  const version = latestOf(transaction)
  const outcome = await broadcast(parts.pool, version.raw)
  const isIn = outcome.kind === 'accepted'
  tell(isIn ? 'sent-again' : 'trouble', transaction, parts, isIn ? '' : outcome.words)
}

async function noteMined(
  transaction: KeptTransaction,
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
    tell(isReverted ? 'reverted' : 'mined', known, parts, `in block ${block}`)
  }
  if (head - block < BigInt(settings.confirmations)) return
  const removed = await store.remove(nonce)
  if (removed.ok) tell('final', transaction, parts)
  else tell('trouble', transaction, parts, removed.error)
}

async function noteWaiting(
  transaction: KeptTransaction,
  { nextNonce, baseFee }: ReceiptsReading,
  parts: SenderParts,
): Promise<void> {
  const { settings, store, now } = parts
  if (transaction.mined !== null) {
    const undone = { ...transaction, mined: null }
    tell('undone', transaction, parts, 'its block is gone')
    if (await kept(undone, parts)) await sendAgain(undone, parts)
    return
  }
  if (now() - latestOf(transaction).sentAt < settings.replaceAfterMs) return
  if (transaction.nonce >= nextNonce) return replace(transaction, baseFee, parts)
  // Not at once: a node may know the new nonce before it shows the receipt.
  const removed = await store.remove(transaction.nonce)
  if (removed.ok) tell('superseded', transaction, parts)
}

/** The same nonce, so that only one of the two can ever be in a block. */
async function replace(transaction: KeptTransaction, baseFee: bigint, parts: SenderParts): Promise<void> {
  const { settings, pool } = parts
  const fees = higherFees(latestOf(transaction), baseFee, settings)
  if (fees === null) {
    tell('fee-capped', transaction, parts, `maxFeeGwei is ${settings.maxFeeGwei}`)
    const waiting = { ...latestOf(transaction), sentAt: parts.now() }
    if (await kept(withLatest(transaction, waiting), parts)) await sendAgain(transaction, parts)
    return
  }
  const version = await signVersion(transaction, fees, parts)
  if (!version.ok) return tell('trouble', transaction, parts, version.error.words)
  const [first, ...others] = transaction.versions
  const replaced: KeptTransaction = { ...transaction, versions: [first, ...others, version.value] }
  if (!(await kept(replaced, parts))) return
  const outcome = await broadcast(pool, version.value.raw)
  const isIn = outcome.kind === 'accepted'
  tell(isIn ? 'replaced' : 'trouble', replaced, parts, isIn ? '' : outcome.words)
}

function withLatest(transaction: KeptTransaction, version: TransactionVersion): KeptTransaction {
  const [first, ...others] = transaction.versions
  return others.length === 0
    ? { ...transaction, versions: [version] }
    : { ...transaction, versions: [first, ...others.slice(0, -1), version] }
}

async function kept(transaction: KeptTransaction, parts: SenderParts): Promise<boolean> {
  const written = await parts.store.put(transaction)
  if (!written.ok) tell('trouble', transaction, parts, written.error)
  return written.ok
}

function latestOf({ versions }: KeptTransaction): TransactionVersion {
  return versions.at(-1) ?? versions[0]
}

function tell(
  kind: TransactionEvent['kind'],
  transaction: KeptTransaction,
  { onTransaction }: SenderParts,
  words = '',
): void {
  const { nonce, purpose, mined } = transaction
  onTransaction?.({ kind, nonce, purpose, txHash: mined?.hash ?? latestOf(transaction).hash, words })
}
