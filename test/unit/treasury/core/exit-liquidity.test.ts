import { describe, expect, test } from 'vitest'
import { exitLiquidity } from '../../../../src/treasury/core/exit-liquidity.ts'
import { holdingsOf, MID, TreasuryHarness, TZS, USD } from '../../../support/treasury-harness.ts'

const ALL = { NTZS: 70_000_000n, USDC: 25_000n }
const VALUE = (ALL.NTZS + ALL.USDC * 2_500n) * TZS * TZS

describe('what could come home now', () => {
  test('all of it can while wallets and pool are read and nothing is in doubt', () => {
    const { state } = new TreasuryHarness()
    expect(exitLiquidity(state, MID)).toMatchObject({ ours: VALUE, waiting: 0n, homeBps: 10_000 })
  })

  test("of the pool no more counts than the venue's solver holds, and a short exit is alerted once", () => {
    const harness = new TreasuryHarness()
    const quote = { bidBps: 100, askBps: 100, isActive: true, isHalted: false }
    const solver = { NTZS: 0n, USDC: 1_000n * USD, USDT: 0n }
    for (let reading = 0; reading < 3; reading++)
      harness.give({ type: 'holdingsSeen', holdings: holdingsOf(), mid: MID, quote, solver })
    const exit = exitLiquidity(harness.state, MID)
    expect(exit).toMatchObject({ fromPool: 2_500_000n * TZS * TZS, homeBps: 5_660 })
    const alerts = harness.observations.filter(
      (one) => one.type === 'treasuryAlert' && one.code === 'treasury-exit-short',
    )
    expect(alerts).toHaveLength(1)
  })

  test('shillings do not count while their backing is in doubt', () => {
    const harness = new TreasuryHarness()
    harness.give({ type: 'supplySeen', supply: 100n * TZS, onChain: 90n * TZS })
    expect(exitLiquidity(harness.state, MID)?.homeBps).toBe(4_716)
  })

  test('without a mid there is no figure', () => {
    expect(exitLiquidity(new TreasuryHarness().state, null)).toBeNull()
  })
})
