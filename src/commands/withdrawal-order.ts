import { getAddress, isAddress } from 'viem'
import { err, ok, type Result } from '../base/result.ts'
import type { WithdrawConfig } from '../engine/model/config.ts'
import { formatAmount, parseAmount } from '../money/amount.ts'
import type { Asset } from '../money/asset.ts'

export type WithdrawalOrder = {
  readonly asset: Asset
  /** Base units. */
  readonly amount: bigint
  /** With its checksum, which the venue wants. */
  readonly toAddress: string
}

/** Reads what a person typed; the error is a sentence with what would be right. */
export function parseWithdrawalOrder(
  asset: Asset,
  amountText: string,
  to: string,
): Result<WithdrawalOrder, string> {
  const amount = parseAmount(amountText, asset)
  if (!amount.ok)
    return err(
      `--amount: ${amount.error.message}; a plain decimal of whole tokens, such as 250.5, would be right`,
    )
  if (amount.value <= 0n) return err('--amount: more than zero would be right')
  // An address in one case has no checksum to check; in mixed case a wrong letter shows.
  if (!isAddress(to)) {
    const why = isAddress(to, { strict: false })
      ? 'its checksum is wrong, so at least one letter is mistyped'
      : 'not an EVM address'
    return err(`--to: ${why}; 0x and 40 hex digits, copied whole, would be right`)
  }
  return ok({ asset, amount: amount.value, toAddress: getAddress(to) })
}

/** Why the configuration forbids this whatever happens; null where it does not. Risk has the last word. */
export function forbiddenWithdrawal(order: WithdrawalOrder, rules: WithdrawConfig): string | null {
  const { asset, amount, toAddress } = order
  if (!rules.enabled) return 'withdrawals are off; withdraw.enabled in the configuration turns them on'
  if (!rules.destinations.some((allowed) => allowed.toLowerCase() === toAddress.toLowerCase()))
    return `${toAddress} is not among withdraw.destinations`
  const cap = rules.maxPerDay[asset]
  if (cap === undefined) return `withdraw.maxPerDay names no ${asset}, so none of it may leave`
  return amount <= cap ? null : `withdraw.maxPerDay allows ${formatAmount(cap, asset)} ${asset} in 24 hours`
}
