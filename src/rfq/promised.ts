import { ASSETS, zeroAmounts, type Amounts } from '../money/asset.ts'
import { owedAmount } from './owed-order.ts'
import type { RfqSettings } from './rfq-settings.ts'
import type { RfqState, SeenChain } from './rfq-state.ts'

const FACTOR_PARTS = 1_000_000

/** What may still be taken of each token, by every order that has not finally ended. */
export function promised(state: RfqState): Amounts {
  const sums = zeroAmounts()
  for (const owed of Object.values(state.owed)) sums[owed.makerAsset] += owedAmount(owed)
  return sums
}

/** The configured part of min(balance, allowance), per token. What the chain did not say is zero. */
export function coveredByWallet(chain: SeenChain, settings: RfqSettings): Amounts {
  const covered = zeroAmounts()
  const factor = BigInt(Math.floor(settings.promiseFactor * FACTOR_PARTS))
  for (const asset of ASSETS) {
    const balance = chain.balances[asset] ?? 0n
    const allowance = chain.allowances[asset] ?? 0n
    covered[asset] = ((balance < allowance ? balance : allowance) * factor) / BigInt(FACTOR_PARTS)
  }
  return covered
}

/** What may be promised on top of what is, per token; negative where too much is promised already. */
export function freeToPromise(state: RfqState, settings: RfqSettings): Amounts {
  const free = state.chain === null ? zeroAmounts() : coveredByWallet(state.chain, settings)
  const owed = promised(state)
  for (const asset of ASSETS) free[asset] -= owed[asset]
  return free
}
