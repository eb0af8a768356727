import type { Ms } from '../base/time.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import type { Event } from '../engine/model/event.ts'
import { openReader } from '../store/open-reader.ts'
import { EXIT_CODE } from './exit-code.ts'
import type { WithdrawalOrder } from './withdrawal-order.ts'

export type WithdrawalEnd = { readonly exitCode: number; readonly answer: string }

const LOOK_MS = 200
export const UNKNOWN_WITHDRAWAL: WithdrawalEnd = {
  exitCode: EXIT_CODE.failed,
  answer:
    'no clear answer came: the tokens may or may not have left. Do not send it again; the balances will tell',
}

/**
 * What became of a withdrawal that the daemon took on, read from its journal after event `after`. Unknown
 * when nothing is said in time. Throws StoreReadError.
 */
export async function followWithdrawal(
  config: LoadedConfig,
  after: number,
  order: WithdrawalOrder,
  withinMs: Ms,
): Promise<WithdrawalEnd> {
  const deadline = performance.now() + withinMs
  let next = after + 1
  while (performance.now() < deadline) {
    const reader = openReader(config.store.path)
    if (!reader.ok) return UNKNOWN_WITHDRAWAL
    try {
      for (const { seq, event } of reader.value.journal(next)) {
        next = seq + 1
        const end = withdrawalEnd(event, order)
        if (end !== null) return end
      }
    } finally {
      reader.value.close()
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return UNKNOWN_WITHDRAWAL
}

/** What an event says about this withdrawal; null = nothing. At most one is under way at a time. */
export function withdrawalEnd(event: Event, order: WithdrawalOrder): WithdrawalEnd | null {
  if (event.type === 'withdrawn' && event.asset === order.asset && event.amount === order.amount) {
    return {
      exitCode: EXIT_CODE.ok,
      answer: `withdrawn, confirmed by the venue (${event.txHash ?? 'no transaction named'})`,
    }
  }
  if (event.type !== 'requestFailed' || !event.failure.route.endsWith('/withdraw')) return null
  const { outcome, message, kind } = event.failure
  if (outcome === 'unknown')
    return { ...UNKNOWN_WITHDRAWAL, answer: `${UNKNOWN_WITHDRAWAL.answer} (${message})` }
  const isSilent = kind === 'network' || kind === 'timeout' || kind === 'auth'
  return {
    exitCode: isSilent ? EXIT_CODE.unreachable : EXIT_CODE.failed,
    answer: `nothing was sent: ${message}`,
  }
}
