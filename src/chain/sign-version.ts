import { keccak256 } from 'viem'
import { err, ok, type Result } from '../base/result.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import { rpcFailure, type RpcFailure } from './rpc-failure.ts'
import type { SenderParts } from './sender-parts.ts'
import type { TransactionFees } from './transaction-fees.ts'
import type { KeptTransaction, TransactionVersion } from './transaction-store.ts'

/** A transaction with these fees, signed. A signer that throws has signed nothing that left it. */
export async function signVersion(
  { nonce, to, data, gas }: Pick<KeptTransaction, 'nonce' | 'to' | 'data' | 'gas'>,
  fees: TransactionFees,
  { account, settings, now }: SenderParts,
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
    // Only the error's name: a signer's words could hold what it was given.
    const name = error instanceof Error ? error.name : 'unknown error'
    const words = `the signer did not sign the transaction (${name}); nothing was sent`
    return err(rpcFailure('refused', words, { code: 'NOT_SIGNED', wasSent: false, isAnswer: true }))
  }
}
