import type { CommandResult } from '../output/print.ts'
import { getAddress, isAddress } from 'viem'
import { err, ok, type Result } from '../../base/result.ts'
import type { WithdrawConfig } from '../../core/engine/model/config.ts'
import { type Asset, formatTokens, parseTokens, type TokenAmount } from '../../base/money/asset.ts'
import type { Ms } from '../../base/time.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { Event } from '../../core/engine/model/event.ts'
import { openReader } from '../../store/open-reader.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'

export type WithdrawalOrder = {
  readonly asset: Asset
  /** Base units. */
  readonly amount: TokenAmount
  /** With its checksum, which the venue requires. */
  readonly toAddress: string
}

/** Parses an operator's input; the error is a sentence with the expected form. */
export function parseWithdrawalOrder(
  asset: Asset,
  amountText: string,
  to: string,
): Result<WithdrawalOrder, string> {
  const amount = parseTokens(amountText, asset)
  if (!amount.ok)
    return err(`--amount: ${amount.error.message}; expected a plain decimal of whole tokens, such as 250.5`)
  if (amount.value <= 0n) return err('--amount: must be more than zero')
  // An address in one case has no checksum; in mixed case a wrong letter is detected.
  if (!isAddress(to)) {
    const why = isAddress(to, { strict: false })
      ? 'its checksum is wrong, so at least one letter is mistyped'
      : 'not an EVM address'
    return err(`--to: ${why}; expected 0x and 40 hex digits, copied whole`)
  }
  return ok({ asset, amount: amount.value, toAddress: getAddress(to) })
}

/** Returns why the configuration forbids this in any case; null = it does not. Risk decides last. */
export function forbiddenWithdrawal(order: WithdrawalOrder, rules: WithdrawConfig): string | null {
  const { asset, amount, toAddress } = order
  if (!rules.enabled) return 'withdrawals are off; withdraw.enabled in the configuration turns them on'
  if (!rules.destinations.some((allowed) => allowed.toLowerCase() === toAddress.toLowerCase()))
    return `${toAddress} is not among withdraw.destinations`
  const cap = rules.maxPerDay[asset]
  if (cap === undefined) return `withdraw.maxPerDay names no ${asset}, so none of it may leave`
  return amount <= cap ? null : `withdraw.maxPerDay allows ${formatTokens(cap, asset)} ${asset} in 24 hours`
}

const POLL_MS = 200
export const UNKNOWN_WITHDRAWAL: CommandResult = {
  exitCode: EXIT_CODE.unknown,
  answer:
    'no clear answer: whether the tokens left is unknown. Do not send it again; the balances will show it',
}

/**
 * Returns the outcome of a withdrawal that the daemon accepted, read from its journal after event `after`. Unknown if no
 * event arrives in time. Throws StoreReadError.
 */
export async function followWithdrawal(
  config: LoadedConfig,
  after: number,
  order: WithdrawalOrder,
  withinMs: Ms,
): Promise<CommandResult> {
  const deadline = performance.now() + withinMs
  let next = after + 1
  while (performance.now() < deadline) {
    const reader = openReader(config.store.place)
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
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return UNKNOWN_WITHDRAWAL
}

/** Returns the result of this withdrawal from an event; null = an unrelated event. At most one is in flight. */
export function withdrawalEnd(event: Event, order: WithdrawalOrder): CommandResult | null {
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
    exitCode: isSilent ? EXIT_CODE.unconfirmed : EXIT_CODE.failed,
    answer: `nothing was sent: ${message}`,
  }
}
