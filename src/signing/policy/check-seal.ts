import { decodeFunctionData, encodeFunctionData, parseAbi, type TransactionSerializable } from 'viem'
import type { Ms } from '../../base/time.ts'
import { leastSaltAt } from '../../rfq/build-order.ts'
import { EXCHANGE_ABI } from '../../rfq/exchange-abi.ts'
import type { Hex } from '../../rfq/rfq-order.ts'
import { sealedGas, sealedPairs } from '../../rfq/sealed/sealed-cancels.ts'
import type { PolicyState } from './policy-state.ts'
import { isSameAddress, LONGEST_LIFE_MS, type SigningPolicy } from './signing-policy.ts'

const EXCHANGE = parseAbi(EXCHANGE_ABI)

/** A cancellation of pairs that is signed in advance: pairs and salts have one length. */
export type SealedCall = {
  readonly pairs: readonly { readonly makerToken: Hex; readonly takerToken: Hex }[]
  readonly minValidSalts: readonly bigint[]
}

/** The call, if it is one and exactly that; null = it is another one. */
export function sealedCall(data: Hex): SealedCall | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: EXCHANGE, data })
    if (functionName !== 'batchCancelPairRfqOrders') return null
    if (encodeFunctionData({ abi: EXCHANGE, functionName, args }) !== data.toLowerCase()) return null
    const [makers, takers, minValidSalts] = args
    if (makers.length !== takers.length || makers.length !== minValidSalts.length) return null
    const pairs = makers.map((makerToken, index) => ({ makerToken, takerToken: takers[index] ?? '0x' }))
    return { pairs, minValidSalts }
  } catch {
    return null
  }
}

type SealCheck = {
  readonly state: Pick<PolicyState, 'lastSalt'>
  readonly policy: SigningPolicy
  readonly now: Ms
}

/**
 * Why a cancellation is not signed in advance; null = it is. It lies in a file from then on, so that its fees are bounded,
 * and so is the salt: above every one that was signed, or it would leave orders, and not beyond the longest life of an order,
 * or it would end all the orders to come.
 */
export function sealProblem(
  { type, gas, maxFeePerGas }: TransactionSerializable,
  { pairs, minValidSalts }: SealedCall,
  { state: { lastSalt }, policy: { seals, tokens }, now }: SealCheck,
): string | null {
  if (seals === null)
    return 'it cancels pairs in advance, and no order lives long enough to need that (rfq.maxLifeMs)'
  const known = sealedPairs(tokens)
  const isKnown = ({ makerToken, takerToken }: (typeof pairs)[number]) =>
    known.some(
      (one) => isSameAddress(one.makerToken, makerToken) && isSameAddress(one.takerToken, takerToken),
    )
  if (pairs.length === 0 || pairs.length > known.length || !pairs.every(isKnown))
    return 'it cancels other pairs than those of the configuration'
  if (type !== 'eip1559' || gas === undefined || maxFeePerGas === undefined) return 'it names no highest fee'
  if (!(gas <= sealedGas(pairs.length))) return `it may use ${gas} units of gas, more than it needs`
  if (!(maxFeePerGas <= seals.maxFeePerGas))
    return `a unit of its gas may cost ${maxFeePerGas} wei, and rfq.gas.maxFeeGwei allows ${seals.maxFeePerGas}`
  const used = lastSalt ?? -1n
  if (!minValidSalts.every((salt) => salt > used))
    return `its lowest valid salt is not above ${used}, the last that was used`
  const byTime = leastSaltAt(now)
  const most = (byTime > used ? byTime : used) + leastSaltAt(LONGEST_LIFE_MS)
  return minValidSalts.every((salt) => salt <= most)
    ? null
    : `its lowest valid salt is above ${most}, and would end orders that nobody has signed yet`
}
