import type { TransactionSerializable } from 'viem'
import { err, ok, type Result } from '../../../base/result.ts'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { Hex, RfqOrder } from '../../../core/rfq/rfq-order.ts'
import type { ExchangeDomain, SigningFailure } from '../order-signer.ts'
import { checkOrder, type OrderCheck } from './check-order.ts'
import { checkTransaction } from './check-transaction.ts'
import { dollarSide, liveRecords, applyOwnReading, stopAtOf, type OwnReading } from './policy-state.ts'
import type { PolicyStore } from './policy-store.ts'
import { type SharedMemory, shareThrough, type Sharing } from './shared-memory.ts'
import { policyRefusal, type OrderRequest, type SigningPolicy } from './signing-policy.ts'

/** Guards the key: nothing is signed before the guard has checked it as a struct or a call. */
export type SigningGuard = {
  readonly domain: ExchangeDomain
  /** Once this succeeds, the order is counted on disk as signed. Never rejects. */
  readonly permit: (request: OrderRequest, wallet: Hex) => Promise<Result<OrderPermit, SigningFailure>>
  /** Returns why the transaction must not be signed; null = it may be. Never rejects. */
  readonly transactionRefusal: (transaction: TransactionSerializable, wallet: Hex) => Promise<string | null>
}

type OrderPermit = {
  /** For a caller that certainly made no signature: the value no longer counts. The salt stays used. */
  readonly giveBack: () => void
}

/** Reads the states of these orders from the chain, only for the signer. The error is a sentence. */
export type ReadOwnOrders = (orders: readonly RfqOrder[]) => Promise<Result<OwnReading, string>>

export type SigningGuardParts = {
  readonly policy: SigningPolicy
  readonly store: PolicyStore
  readonly readOrders: ReadOwnOrders
  readonly now: () => Ms
  /** Shared memory of the position's signers; absent = only this machine signs. */
  readonly shared?: SharedMemory
  /** Returns whether this process still holds the position; absent = no other process can. Called last, after all slow steps. */
  readonly isHeld?: () => boolean
}

/** A reading older than this is refreshed before a signature. */
const READ_EVERY_MS = 5 * SECOND_MS
/** Refreshed sooner if only a newer reading can lift the refusal. */
const READ_AGAIN_MS = SECOND_MS
const LIFTED_BY_READING: readonly string[] = [
  'SIGN_OUTSTANDING_LIMIT',
  'SIGN_HOURLY_LIMIT',
  'SIGN_DAILY_LIMIT',
  'SIGN_DUPLICATE',
  'SIGN_CHAIN_UNSEEN',
  'SIGN_CLOCK',
]

const UNFILLED = { filledUsd: 0n, endedAtBlock: null, endedAt: null } as const

/** Creates the guard, which checks orders one at a time so that no two use the same capacity. */
export function createSigningGuard(parts: SigningGuardParts): SigningGuard {
  const { policy, store, now, isHeld = () => true, shared } = parts
  const { state } = store
  const sharing = shareThrough(shared, store)
  const check = createCheck(parts, sharing)
  let last: Promise<unknown> = Promise.resolve()

  async function permit(request: OrderRequest, wallet: Hex): Promise<Result<OrderPermit, SigningFailure>> {
    try {
      store.refresh()
      const unread = await sharing.learn()
      if (unread !== null) return err(policyRefusal('SIGN_STATE_FAILED', unread))
      const refused = (await check(request, wallet)) ?? notHeld(isHeld)
      if (refused !== null) return err(refused)
      const { order } = request
      const usd = dollarSide(order, policy.tokens)?.usd ?? 0n
      const record = { order: { ...order }, usd, signedAt: now(), ...UNFILLED }
      store.put([record])
      const giveBack = (): void => {
        store.forget([order.salt])
        void sharing.keep([], [order.salt])
      }
      const kept = await sharing.keep([record], [])
      // Checked again because the write took time.
      const late = kept.ok ? notHeld(isHeld) : policyRefusal('SIGN_STATE_FAILED', kept.error)
      if (late === null) return ok({ giveBack })
      giveBack()
      return err(late)
    } catch (error) {
      // An order that is not counted on disk must not be signed.
      return err(
        policyRefusal('SIGN_STATE_FAILED', `the signer's own file failed (${(error as Error).message})`),
      )
    }
  }

  return {
    domain: policy.domain,
    permit(request, wallet) {
      const mine = last.then(() => permit(request, wallet))
      last = mine
      return mine
    },
    async transactionRefusal(transaction, wallet) {
      try {
        store.refresh()
        const unread = await sharing.learn()
        // If the shared settings are unknown, the signer only takes orders back and raises no allowance.
        const stopAt = unread === null ? stopAtOf(state) : 0
        const problem =
          notHeld(isHeld)?.message ?? checkTransaction({ transaction, wallet, stopAt, policy, now: now() })
        return problem === null || unread === null ? problem : `${problem} (${unread})`
      } catch (error) {
        return `it cannot be checked (${(error as Error).message})`
      }
    },
  }
}

/** Checks an order, rereading the chain first if the last reading is old or causes the refusal. */
function createCheck({ policy, store, readOrders, now }: SigningGuardParts, { keep }: Sharing) {
  const { state } = store

  /** If it fails, the rules see an older reading. */
  async function readChain(): Promise<void> {
    const reading = await readOrders(liveRecords(state).map(({ order }) => order))
    if (!reading.ok) return
    const { changed, forgotten } = applyOwnReading(state, reading.value, now(), policy)
    store.put(changed)
    store.forget(forgotten)
    // After a failure the next signer reads these orders from the chain itself.
    if (changed.length + forgotten.length > 0) await keep(changed, forgotten)
  }

  return async (request: OrderRequest, wallet: Hex): Promise<SigningFailure | null> => {
    const checkNow = () => checkedOrMalformed({ ...request, wallet, state, policy, now: now() })
    const first = checkNow()
    const ageMs = state.head === null ? Number.POSITIVE_INFINITY : Math.abs(now() - state.head.readAt)
    const isDue =
      first === null ? ageMs > READ_EVERY_MS : LIFTED_BY_READING.includes(first.code) && ageMs > READ_AGAIN_MS
    if (!isDue) return first
    await readChain()
    return checkNow()
  }
}

/** Two daemons may have the same key but count only their own signatures, so only the holder of the position signs. */
function notHeld(isHeld: () => boolean): SigningFailure | null {
  const words = 'another daemon may hold the position by now: PostgreSQL did not confirm the lease in time'
  return isHeld() ? null : policyRefusal('SIGN_NOT_HELD', words)
}

/** A field of a wrong type makes a rule throw; such an order is malformed. */
function checkedOrMalformed(check: OrderCheck): SigningFailure | null {
  try {
    return checkOrder(check)
  } catch (error) {
    return policyRefusal('SIGN_MALFORMED', `the order cannot be checked (${(error as Error).message})`)
  }
}
