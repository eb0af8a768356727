import { ASSETS, zeroAmounts, type Amounts } from '../money/asset.ts'
import { owedAmount } from './owed-order.ts'
import type { RfqSettings } from './rfq-settings.ts'
import type { RfqState } from './rfq-state.ts'

const FACTOR_PARTS = 1_000_000

/** What may still be taken of each token, by every order that has not finally ended. */
export function promised(state: RfqState): Amounts {
  const sums = zeroAmounts()
  for (const owed of Object.values(state.owed)) sums[owed.makerAsset] += owedAmount(owed)
  return sums
}

/**
 * What may be promised on top, per token: the configured part of min(balance, allowance) less what is
 * promised already. Negative where more is promised than that. What the chain did not say is zero.
 */
export function freeToPromise(state: RfqState, settings: RfqSettings): Amounts {
  const free = zeroAmounts()
  const owed = promised(state)
  const factor = BigInt(Math.floor(settings.promiseFactor * FACTOR_PARTS))
  for (const asset of ASSETS) {
    const balance = state.chain?.balances[asset] ?? 0n
    const allowance = state.chain?.allowances[asset] ?? 0n
    const covered = balance < allowance ? balance : allowance
    free[asset] = (covered * factor) / BigInt(FACTOR_PARTS) - owed[asset]
  }
  return free
}
