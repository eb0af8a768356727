import { keccak256 } from 'viem'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { type RpcError, rpcFailure, type RpcFailure } from '../rpc/rpc-failure.ts'
import type { SenderParts } from './sender-parts.ts'
import type { TransactionFees } from './prepare-transaction.ts'
import type { TrackedTransaction, TransactionVersion } from './transaction-store.ts'
import type { EndpointPool } from '../rpc/endpoint-pool.ts'

/** Signs a transaction with these fees. If the signer throws, no signature has left the process. */
export async function signVersion(
  { nonce, to, data, gas }: Pick<TrackedTransaction, 'nonce' | 'to' | 'data' | 'gas'>,
  fees: TransactionFees,
  { account, settings, now }: Pick<SenderParts, 'account' | 'settings' | 'now'>,
): Promise<Result<TransactionVersion, RpcFailure>> {
  try {
    const { chainId } = settings
    const signed = await account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce,
      to,
      data,
      gas,
      value: 0n,
      ...fees,
    })
    const raw = signed.toLowerCase() as Hex
    return ok({ hash: keccak256(raw), raw, ...fees, sentAt: now() })
  } catch (error) {
    // Only the error's name: a signer's message could quote its input.
    const name = error instanceof Error ? error.name : 'unknown error'
    const words = `the signer did not sign the transaction (${name}); nothing was sent`
    return err(rpcFailure('refused', words, { code: 'NOT_SIGNED', wasSent: false, isAnswer: true }))
  }
}

/** The outcome of sending a signed transaction. `refused` and `unsent`: no endpoint has it. `unknown`: one may. */
type BroadcastOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly words: string }
  | { readonly kind: 'unsent' | 'unknown'; readonly words: string }

type RefusalReason =
  /** A mined transaction has used the nonce. */
  | 'nonce-too-low'
  /** A waiting transaction with the same nonce pays as much or more. */
  | 'replacement-underpriced'
  | 'underpriced'
  | 'no-funds'
  | 'other'

/** The messages of geth, anvil, erigon, nethermind and besu. */
const KNOWN = /already ?known|already imported|\bknown transaction/i
const REASONS: readonly (readonly [RegExp, RefusalReason])[] = [
  [/nonce (is )?too low|oldnonce/i, 'nonce-too-low'],
  [/replacement|already exists with the same nonce/i, 'replacement-underpriced'],
  [/insufficient (funds|balance)/i, 'no-funds'],
  [/underpriced|feetoolow|fee too low|less than block base fee/i, 'underpriced'],
]

/** Sends a signed transaction to every endpoint at once, so that it is mined sooner. */
export async function broadcast(pool: EndpointPool, raw: Hex): Promise<BroadcastOutcome> {
  const request = { method: 'eth_sendRawTransaction', params: [raw] }
  const answers = await pool.all((endpoint) => endpoint.ask([request]))
  const refusals: RpcError[] = []
  const silences: string[] = []
  let wasSent = false
  for (const answer of answers) {
    if (answer.ok) {
      const [reply] = answer.value
      if (reply?.ok !== false || KNOWN.test(reply.error.message)) return { kind: 'accepted' }
      refusals.push(reply.error)
    } else {
      silences.push(answer.error.words)
      wasSent ||= answer.error.wasSent
    }
  }
  if (wasSent || refusals.length === 0) {
    return { kind: wasSent ? 'unknown' : 'unsent', words: silences.join('; ') }
  }
  const [first] = refusals
  const reasons = refusals.map(({ message }) => REASONS.find(([words]) => words.test(message))?.[1])
  const reason = reasons.find((known) => known !== undefined) ?? 'other'
  return { kind: 'refused', reason, words: first?.message ?? '' }
}
