import { encodeFunctionData, erc20Abi, parseAbi, type Hex } from 'viem'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_ABI } from '../../../../../src/core/rfq/exchange-abi.ts'
import { checkTransaction } from '../../../../../src/custody/signing/policy/check-transaction.ts'
import {
  DOLLAR,
  EXCHANGE,
  MAKER,
  NOW,
  SHILLING,
  signableOrder,
  signingPolicy,
  SOLVER,
} from '../../../../support/signing-fixture.ts'

const ABI = parseAbi(EXCHANGE_ABI)
const order = signableOrder()
const signature = { signatureType: 2, v: 27, r: `0x${'0'.repeat(64)}`, s: `0x${'0'.repeat(64)}` } as const
const approve = (amount: bigint, spender: Hex = EXCHANGE) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
const cancelOne = encodeFunctionData({ abi: ABI, functionName: 'cancelRfqOrder', args: [order] })
const cancelMany = encodeFunctionData({ abi: ABI, functionName: 'batchCancelRfqOrders', args: [[order]] })
const cancelPair = encodeFunctionData({
  abi: ABI,
  functionName: 'cancelPairRfqOrders',
  args: [SHILLING, DOLLAR, 7n],
})

function judged(
  to: Hex,
  data: Hex | undefined,
  change: { readonly stopAt?: number; readonly value?: bigint; readonly chainId?: number } = {},
) {
  const transaction = {
    type: 'eip1559',
    chainId: change.chainId ?? 8_453,
    to,
    data,
    value: change.value ?? 0n,
  } as const
  return checkTransaction({
    transaction,
    wallet: MAKER,
    stopAt: change.stopAt ?? null,
    policy: signingPolicy(),
    now: NOW,
  })
}

describe('the signer signs a transaction that', () => {
  test.each<[string, Hex, Hex | undefined]>([
    ['cancels one order', EXCHANGE, cancelOne],
    ['cancels several orders', EXCHANGE, cancelMany],
    ['cancels a pair', EXCHANGE, cancelPair],
    ['approves exactly the configured amount', DOLLAR, approve(1_000_000_000n)],
    ['takes an allowance away', DOLLAR, approve(0n)],
    ['takes the allowance of a token away for which none is configured', SHILLING, approve(0n)],
    ['uses a nonce up', MAKER, undefined],
  ])('%s', (_what, to, data) => {
    expect(judged(to, data)).toBeNull()
  })

  test("takes orders and allowances back after the operator's stop: these only lower what is at risk", () => {
    for (const data of [cancelOne, cancelMany, cancelPair])
      expect(judged(EXCHANGE, data, { stopAt: 0 })).toBeNull()
    expect(judged(DOLLAR, approve(0n), { stopAt: 0 })).toBeNull()
    expect(judged(MAKER, undefined, { stopAt: 0 })).toBeNull()
  })
})

describe('the signer refuses a transaction that', () => {
  test.each<[string, Hex, Hex | undefined, RegExp]>([
    [
      'approves one base unit more than is configured',
      DOLLAR,
      approve(1_000_000_001n),
      /rfq\.approve allows 1000000000/,
    ],
    ['approves without limit', DOLLAR, approve((1n << 256n) - 1n), /an allowance is never unlimited/],
    ['approves a token for which nothing is configured', SHILLING, approve(1n), /rfq\.approve allows 0/],
    ['approves someone else', DOLLAR, approve(1n, SOLVER), /calls a token but does not approve/],
    [
      'transfers tokens',
      DOLLAR,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [EXCHANGE, 1n] }),
      /calls a token but does not approve/,
    ],
    [
      'approves, with bytes behind the call',
      DOLLAR,
      `${approve(1n)}00`,
      /calls a token but does not approve/,
    ],
    ['calls a token without a function', DOLLAR, undefined, /calls a token but does not approve/],
    [
      'fills an order',
      EXCHANGE,
      encodeFunctionData({ abi: ABI, functionName: 'fillRfqOrder', args: [order, signature, 1n] }),
      /calls fillRfqOrder/,
    ],
    [
      'lets another origin fill orders',
      EXCHANGE,
      encodeFunctionData({ abi: ABI, functionName: 'registerAllowedRfqOrigins', args: [[SOLVER], true] }),
      /calls registerAllowedRfqOrigins/,
    ],
    [
      'lets another key sign orders',
      EXCHANGE,
      encodeFunctionData({
        abi: parseAbi(['function registerAllowedOrderSigner(address, bool)']),
        functionName: 'registerAllowedOrderSigner',
        args: [SOLVER, true],
      }),
      /an unknown function/,
    ],
    [
      'cancels pairs in advance',
      EXCHANGE,
      encodeFunctionData({
        abi: parseAbi(['function batchCancelPairRfqOrders(address[], address[], uint256[])']),
        args: [[SHILLING], [DOLLAR], [7n]],
      }),
      /an unknown function/,
    ],
    ['calls the exchange without a function', EXCHANGE, undefined, /an unknown function/],
    ['cancels, with bytes behind the call', EXCHANGE, `${cancelOne}00`, /an unknown function/],
    ['cancels nothing that can be read', EXCHANGE, '0xfe55a3ef', /an unknown function/],
    ['goes to a stranger', SOLVER, '0x', /neither the exchange nor a configured token/],
    ['calls the wallet itself', MAKER, cancelOne, /calls the wallet itself/],
  ])('%s', (_what, to, data, says) => {
    expect(judged(to, data)).toMatch(says)
  })

  test("raises an allowance after the operator's stop", () => {
    expect(judged(DOLLAR, approve(1n), { stopAt: NOW })).toMatch(/stopped/)
  })

  test('pays more for a unit of gas than rfq.gas.maxFeeGwei, in whichever field, whatever it does', () => {
    const calls = [
      ...[cancelOne, cancelMany, cancelPair].map((data) => ({ to: EXCHANGE, data })),
      ...[approve(1n), approve(0n)].map((data) => ({ to: DOLLAR, data })),
      { to: MAKER, data: undefined },
    ]
    const most = signingPolicy().maxFeePerGas
    const price = fc.constantFrom('gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas')
    const types = fc.constantFrom('legacy', 'eip2930', 'eip1559', undefined)
    const wei = fc.oneof(fc.bigInt(0n, 2n * most), fc.constantFrom(most, most + 1n, 1n << 255n))
    const judgedAt = (transaction: object) =>
      checkTransaction({
        transaction,
        wallet: MAKER,
        stopAt: null,
        policy: signingPolicy(),
        now: NOW,
      })
    fc.assert(
      fc.property(fc.constantFrom(...calls), price, types, wei, (call, field, type, paid) => {
        const said = judgedAt({ type, chainId: 8_453, ...call, [field]: paid })
        expect([field, paid, said === null]).toEqual([field, paid, paid <= most])
        if (said !== null) expect(said).toMatch(/maxFeeGwei allows 5000000000/)
      }),
      { numRuns: 200 },
    )
    expect(judgedAt({ chainId: 8_453, ...calls[0], maxFeePerGas: Number.NaN })).toMatch(/maxFeeGwei/)
  })

  test('is of another chain, or sends coins', () => {
    expect(judged(EXCHANGE, cancelOne, { chainId: 56 })).toMatch(/chain 56/)
    expect(judged(EXCHANGE, cancelOne, { value: 1n })).toMatch(/send coins/)
  })

  test.each(['eip4844', 'eip7702'] as const)('is of type %s', (type) => {
    const transaction = { chainId: 8_453, to: EXCHANGE, data: cancelOne, value: 0n, type } as never
    const policy = signingPolicy()
    expect(checkTransaction({ transaction, wallet: MAKER, stopAt: null, policy, now: NOW })).toBe(
      `of type ${type}`,
    )
  })
})
