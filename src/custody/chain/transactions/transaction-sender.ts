import { setTimeout as pause } from 'node:timers/promises'
import { keepNewest } from '../../../base/bounded-map.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { VenueFailure } from '../../../core/engine/model/venue-answer.ts'
import { broadcast, signVersion } from './broadcast.ts'
import type { SentTransaction } from '../chain.ts'
import { followTransactions, readReceipts, rebroadcast } from './follow-transactions.ts'
import { prepareTransaction, type TransactionCall } from './prepare-transaction.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { rpcFailure, toChainFailure, type RpcFailure } from '../rpc/rpc-failure.ts'
import type { SenderParts, TransactionEvent } from './sender-parts.ts'
import type { TrackedTransaction, TransactionStore } from './transaction-store.ts'
import { runEvery } from '../../../base/threads/timing.ts'

export type TransactionSender = {
  /** Resolves once the network has it. An unconfirmed call is not sent twice. */
  readonly send: (call: TransactionCall, route: string) => Promise<Result<SentTransaction, VenueFailure>>
  /** Waits until it is mined. A revert is a failure. */
  readonly settle: (sent: SentTransaction, route: string) => Promise<Result<SentTransaction, VenueFailure>>
  /** Returns whether a call of this contract, possibly from an earlier run, may still be mined. */
  readonly isUnderWay: (to: Hex) => Promise<boolean>
  readonly close: () => Promise<void>
}

type TransactionEnd = Pick<TransactionEvent, 'kind' | 'txHash' | 'words'>

/** Why there is no transaction. `outcome` unknown = one may exist. */
type SendFailure = { readonly failure: RpcFailure; readonly outcome: VenueFailure['outcome'] }

const NONCE_TRIES = 3
const SETTLE_POLL_MS = 250
const LONGEST_FOLLOW_MS = 5_000
const KEPT_ENDS = 1_000

/**
 * Sends the transactions of one wallet one at a time, each on disk before the network has it. Resumes unconfirmed ones
 * of an earlier run, and follows all in the background until they are final.
 */
export function createTransactionSender(given: SenderParts): TransactionSender {
  const ends = new Map<number, TransactionEnd>()
  const onTransaction = (event: TransactionEvent) => {
    noteEnd(ends, event)
    given.onTransaction?.(event)
  }
  const parts = { ...given, onTransaction }
  const { settings, store, now } = parts
  const enqueue = createQueue(store)
  void enqueue(() => resumeTransactions(parts))
  const followMs = Math.min(LONGEST_FOLLOW_MS, Math.max(SETTLE_POLL_MS, settings.replaceAfterMs / 4))
  let isFollowing = false
  const timer = runEvery(() => {
    if (isFollowing) return undefined
    isFollowing = true
    return enqueue(() => followTransactions(parts)).finally(() => (isFollowing = false))
  }, followMs)
  timer.unref()

  return {
    send: async (call, route) => {
      const queued = await enqueue(() => sendOnce(call, parts))
      if (!queued.ok) return err(toChainFailure(route, unwritable(queued.error)))
      const sent = queued.value
      return sent.ok ? sent : err(toChainFailure(route, sent.error.failure, sent.error.outcome))
    },
    settle: async (sent, route) => {
      const until = now() + settings.receiptTimeoutMs
      let end = ends.get(sent.nonce)
      while (end === undefined && now() < until) {
        await enqueue(() => followTransactions(parts))
        end = ends.get(sent.nonce) ?? (await seenElsewhere(sent, parts))
        if (end === undefined) await pause(SETTLE_POLL_MS)
      }
      if (end?.kind === 'mined') return ok({ ...sent, txHash: end.txHash })
      return err(toChainFailure(route, unsettled(sent, end), end === undefined ? 'unknown' : 'failed'))
    },
    isUnderWay: async (to) => {
      // Transactions of an earlier run are resumed first.
      await enqueue(() => Promise.resolve())
      return underWay(store, to).length > 0
    },
    close: async () => {
      clearInterval(timer)
      await enqueue(() => Promise.resolve())
    },
  }
}

/** Records how each nonce ended. */
function noteEnd(ends: Map<number, TransactionEnd>, event: TransactionEvent): void {
  const { kind, nonce } = event
  if (kind === 'undone') ends.delete(nonce)
  if (kind === 'mined' || kind === 'reverted' || kind === 'superseded')
    keepNewest(ends, nonce, event, KEPT_ENDS)
}

/** Returns the end of the transaction if another process that follows the same file saw it first. */
async function seenElsewhere(
  { nonce, txHash }: SentTransaction,
  { store, pool, settings }: SenderParts,
): Promise<TransactionEnd | undefined> {
  const kept = store.all().find((one) => one.nonce === nonce)
  if (kept !== undefined && kept.mined === null) return undefined
  const hashes = kept?.versions.map(({ hash }) => hash) ?? [txHash]
  const seen = await pool.first((endpoint) => readReceipts(endpoint, settings.maker, hashes))
  const [receipt] = seen.ok ? seen.value.receipts.values() : []
  if (receipt === undefined) return undefined
  const { hash, block, isReverted } = receipt
  return { kind: isReverted ? 'reverted' : 'mined', txHash: hash, words: `in block ${block}` }
}

type Queue = <T>(work: () => Promise<T>) => Promise<Result<T, string>>

/** Runs tasks one at a time, in order, and never concurrently with another process. */
function createQueue(store: TransactionStore): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(() => store.exclusively(work))
    last = mine.catch(() => {})
    return mine
  }
}

/** Resends unmined transactions of an earlier run, because they may never have reached the network. */
async function resumeTransactions(parts: SenderParts): Promise<void> {
  await followTransactions(parts)
  for (const transaction of parts.store.all()) {
    if (transaction.mined === null) await rebroadcast(transaction, parts)
  }
}

async function sendOnce(
  call: TransactionCall,
  parts: SenderParts,
): Promise<Result<SentTransaction, SendFailure>> {
  const { settings, pool, store } = parts
  const failed = (failure: RpcFailure) => err({ failure, outcome: 'failed' as const })
  const same = sameCall(underWay(store, call.to), call)
  if (same !== undefined) {
    await rebroadcast(same, parts)
    return ok(sentOf(same))
  }
  let least = 0
  for (let tries = 1; ; tries++) {
    const prepared = await pool.first((endpoint) => prepareTransaction(endpoint, call, settings))
    if (!prepared.ok) return failed(prepared.error)
    const { gas, fees } = prepared.value
    const ours = store.all().map(({ nonce }) => nonce + 1)
    const nonce = Math.max(prepared.value.nonce, least, ...ours)
    const version = await signVersion({ ...call, nonce, gas }, fees, parts)
    if (!version.ok) return failed(version.error)
    const transaction = {
      ...call,
      nonce,
      gas,
      versions: [version.value],
      mined: null,
      isGasTold: false,
    } as const
    const written = await store.put(transaction)
    if (!written.ok) return failed(unwritable(written.error))
    const outcome = await broadcast(pool, version.value.raw)
    if (outcome.kind === 'accepted') {
      parts.onTransaction?.({ kind: 'sent', words: '', purpose: call.purpose, ...sentOf(transaction) })
      return ok(sentOf(transaction))
    }
    if (outcome.kind === 'unknown')
      return err({ failure: unclear(version.value.hash, outcome.words), outcome: 'unknown' })
    // No endpoint has it, so its nonce is free.
    const removed = await store.remove(nonce)
    // A transaction left on disk is sent again at the next start.
    if (!removed.ok) return err({ failure: unwritable(removed.error), outcome: 'unknown' })
    const isTaken =
      outcome.kind === 'refused' &&
      (outcome.reason === 'nonce-too-low' || outcome.reason === 'replacement-underpriced')
    if (!isTaken || tries === NONCE_TRIES) return failed(refusalOf(outcome))
    least = nonce + 1
  }
}

/** Returns the unmined calls of one contract, oldest first. */
function underWay(store: TransactionStore, contract: Hex): readonly TrackedTransaction[] {
  return store.all().filter(({ mined, to }) => mined === null && to === contract)
}

/** Compares only the last approval, because it overwrites earlier ones. */
function sameCall(
  transactions: readonly TrackedTransaction[],
  { data, purpose }: TransactionCall,
): TrackedTransaction | undefined {
  const candidates = purpose === 'approve' ? transactions.slice(-1) : transactions
  return candidates.find((one) => one.data === data)
}

function sentOf({ nonce, versions }: TrackedTransaction): SentTransaction {
  return { txHash: (versions.at(-1) ?? versions[0]).hash, nonce }
}

function refusalOf(
  outcome: Exclude<Awaited<ReturnType<typeof broadcast>>, { readonly kind: 'accepted' }>,
): RpcFailure {
  const { words } = outcome
  if (outcome.kind !== 'refused')
    return rpcFailure('network', `nothing was sent: ${words}`, { wasSent: false })
  const { reason } = outcome
  if (reason === 'no-funds')
    return rpcFailure('refused', `the wallet has no ETH for gas (${words})`, { code: 'NO_GAS_FUNDS' })
  const code = reason === 'other' ? 'TRANSACTION_REFUSED' : reason.toUpperCase().replaceAll('-', '_')
  return rpcFailure('refused', `the network refuses the transaction: ${words}`, { code })
}

function unclear(hash: string, words: string): RpcFailure {
  return rpcFailure('timeout', `transaction ${hash} may be in the network and will be sent again: ${words}`, {
    code: 'NOT_ANSWERED',
  })
}

function unsettled({ txHash }: SentTransaction, end: TransactionEnd | undefined): RpcFailure {
  if (end === undefined)
    return rpcFailure('timeout', `transaction ${txHash} is not mined yet`, { code: 'NOT_MINED' })
  if (end.kind === 'superseded') {
    const words = `another transaction used the nonce of ${txHash}, which will never be in a block`
    return rpcFailure('refused', words, { code: 'SUPERSEDED' })
  }
  const words = `transaction ${end.txHash} was reverted by the contract ${end.words}; its gas is spent`
  return rpcFailure('refused', words, { code: 'REVERTED_IN_BLOCK', retriable: false })
}

function unwritable(words: string): RpcFailure {
  return rpcFailure('refused', `nothing was sent: ${words}`, { code: 'NOT_WRITTEN', wasSent: false })
}
