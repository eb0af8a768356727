import { SECOND_MS, type Ms } from '../../base/time.ts'
import type { SealedCancels, SealedTransaction } from '../../rfq/sealed/sealed-cancels.ts'

/** What the endpoints of the chain show; they need not agree. */
export type ChainSight = {
  /** The wallet's first nonce that is in no block, by the endpoint that shows the fewest and by the one that shows the most. */
  readonly nonce: { readonly least: number; readonly most: number }
  /** How each transaction ended that enough endpoints show in a block, by hash. */
  readonly ended: ReadonlyMap<string, 'done' | 'reverted'>
}

/** What the network made of a transaction the last time that it was sent. */
export type SentOutcome = {
  readonly at: Ms
  /** `void`: its nonce is used. `underpriced`: another transaction with its nonce pays more. `failed`: anything else. */
  readonly kind: 'taken' | 'underpriced' | 'void' | 'failed'
}

export type SealedStep =
  | { readonly do: 'send'; readonly transaction: SealedTransaction }
  | { readonly do: 'wait' }
  /** One of them is in a block. */
  | { readonly do: 'rest'; readonly done: SealedTransaction }
  /** The wallet has sent others since they were signed, or each of them was in vain. */
  | { readonly do: 'give-up' }

/** One that is in no block by then is followed by the next level of fees. */
export const NEXT_LEVEL_MS: Ms = 10 * SECOND_MS
const RETRY_MS: Ms = 2 * SECOND_MS

/**
 * Which of the sealed transactions is sent now. Of the first nonce that may be free the lowest fees first; what the network
 * does not take is no harm, for all of them do the same.
 */
export function nextSealedStep(
  { transactions }: Pick<SealedCancels, 'transactions'>,
  { nonce, ended }: ChainSight,
  sent: ReadonlyMap<string, SentOutcome>,
  now: Ms,
): SealedStep {
  const done = transactions.find(({ hash }) => ended.get(hash) === 'done')
  if (done !== undefined) return { do: 'rest', done }
  const isSpent = (one: SealedTransaction) =>
    one.nonce < nonce.least || ended.has(one.hash) || sent.get(one.hash)?.kind === 'void'
  const spent = new Set(transactions.filter(isSpent).map((one) => one.nonce))
  const [first] = transactions.filter((one) => !spent.has(one.nonce)).toSorted((a, b) => a.nonce - b.nonce)
  if (first === undefined) return { do: 'give-up' }
  // The endpoints are behind: the nonce is not free yet.
  if (first.nonce > nonce.most) return { do: 'wait' }
  const levels = transactions.filter((one) => one.nonce === first.nonce).toSorted((a, b) => a.level - b.level)
  const next = nextLevel(levels, sent, now)
  return next === null ? { do: 'wait' } : { do: 'send', transaction: next }
}

function nextLevel(
  levels: readonly SealedTransaction[],
  sent: ReadonlyMap<string, SentOutcome>,
  now: Ms,
): SealedTransaction | null {
  const last = levels.findLastIndex(({ hash }) => sent.has(hash))
  const [current, higher] = [levels[last], levels[last + 1]]
  const outcome = current === undefined ? undefined : sent.get(current.hash)
  if (current === undefined || outcome === undefined) return higher ?? null
  const passedMs = now - outcome.at
  if (outcome.kind === 'failed') return passedMs >= RETRY_MS ? current : null
  if (outcome.kind === 'underpriced' && higher !== undefined) return higher
  return passedMs >= NEXT_LEVEL_MS ? (higher ?? current) : null
}
