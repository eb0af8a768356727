import { err, ok, type Result } from '../base/result.ts'
import type { ChainSettings } from './chain-settings.ts'
import { rpcFailure, type RpcFailure } from './rpc-failure.ts'

export type TransactionFees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

type FeeSettings = Pick<ChainSettings, 'maxFeeGwei' | 'tipGwei'>

/** The base fee can rise by an eighth a block: twice of it lasts six full blocks. Source: EIP-1559. */
const BASE_FEE_ROOM = 2n
/** Nodes take a replacement that pays 10% more, some ask for an eighth. */
const BUMP_NUMERATOR = 9n
const BUMP_DENOMINATOR = 8n

/** What to offer now. Fails with GAS_TOO_HIGH where even the next block costs more than the cap. */
export function feesNow(baseFee: bigint, settings: FeeSettings): Result<TransactionFees, RpcFailure> {
  const cap = weiOf(settings.maxFeeGwei)
  const tip = weiOf(settings.tipGwei)
  if (baseFee + tip > cap) {
    const words = `a unit of gas costs ${gweiText(baseFee + tip)} gwei, more than the ${settings.maxFeeGwei} gwei allowed; nothing was sent`
    return err(rpcFailure('refused', words, { code: 'GAS_TOO_HIGH', isAnswer: true }))
  }
  return ok({ maxFeePerGas: least(BASE_FEE_ROOM * baseFee + tip, cap), maxPriorityFeePerGas: tip })
}

/** What replaces an offer: an eighth more of both fees, or what is asked now if that is more. Null = above the cap. */
export function higherFees(
  last: TransactionFees,
  baseFee: bigint,
  settings: FeeSettings,
): TransactionFees | null {
  const cap = weiOf(settings.maxFeeGwei)
  const now = feesNow(baseFee, settings)
  const asked = now.ok ? now.value : last
  const maxFeePerGas = most(bumped(last.maxFeePerGas), asked.maxFeePerGas)
  if (maxFeePerGas > cap) return null
  const tip = most(bumped(last.maxPriorityFeePerGas), asked.maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas: least(tip, maxFeePerGas) }
}

function bumped(fee: bigint): bigint {
  return (fee * BUMP_NUMERATOR) / BUMP_DENOMINATOR + 1n
}

function weiOf(gwei: number): bigint {
  return BigInt(Math.round(gwei * 1e9))
}

function gweiText(wei: bigint): string {
  return String(Number(wei) / 1e9)
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
