import { setTimeout as pause } from 'node:timers/promises'
import { chainTruth, overPromisedTokens, type SignedOrder } from './chain-truth.ts'
import type { CustodyMarket } from './custody-market.ts'

export type PromiseWatch = {
  readonly looks: () => number
  /** Moments at which more was promised than was there, each with a sentence. */
  readonly problems: () => readonly string[]
  /** Of everything that was sent, what was not over for good when the chain was asked last. */
  readonly live: () => readonly SignedOrder[]
  readonly stop: () => Promise<void>
}

const EVERY_MS = 500

/**
 * Looks at the chain again and again: the sum of what can be taken by every order that ever left the daemon stays
 * within the wallet and the allowance.
 */
export function watchPromises({ chain, sent }: CustodyMarket): PromiseWatch {
  const problems: string[] = []
  let looks = 0
  const life = { isOver: false }
  /** A chain that no one reorganises takes no end back. */
  const over = new Set<bigint>()
  const live = () => sent.filter(({ order }) => !over.has(order.salt))
  const watching = (async () => {
    while (!life.isOver) {
      // The orders before the block: what was sent by now was promised on what the chain had by now.
      const truth = await chainTruth(chain, live())
      looks += 1
      for (const { order, status } of truth.orders) if (status !== 'FILLABLE') over.add(order.salt)
      problems.push(...overPromisedTokens(truth).map((problem) => `block ${truth.block}: ${problem}`))
      await pause(EVERY_MS)
    }
  })()
  // What it throws is thrown again where it is stopped.
  watching.catch(() => undefined)
  return {
    looks: () => looks,
    problems: () => problems,
    live,
    async stop() {
      life.isOver = true
      await watching
    },
  }
}
