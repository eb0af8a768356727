import { describe, expect, test } from 'vitest'
import { TreasuryHarness, treasuryConfig, TZS } from '../../../support/treasury-harness.ts'

const SUPPLY = 1_000_000_000n * TZS

function alerts(harness: TreasuryHarness): readonly string[] {
  return harness.observations.flatMap((one) =>
    one.type === 'treasuryAlert' && one.code.startsWith('treasury-supply') ? [one.code] : [],
  )
}

describe("the watch over the shilling's backing", () => {
  test('one negative reconciliation raises no alarm, two in a row are an alarm, and a good one ends it', () => {
    const harness = new TreasuryHarness()
    const reconcile = (difference: bigint) =>
      harness.give({ type: 'reconcileSeen', difference, isReconciled: difference === 0n })
    reconcile(-5n * TZS)
    reconcile(0n)
    reconcile(-5n * TZS)
    expect(alerts(harness)).toEqual([])
    reconcile(-6n * TZS)
    expect(alerts(harness)).toEqual(['treasury-supply-alarm'])
    reconcile(-6n * TZS)
    expect(alerts(harness)).toHaveLength(1)
    reconcile(3n * TZS)
    expect(harness.state.supply.alarm).toBeNull()
  })

  test('a supply away from the chain by a shilling is an alarm, by less it is rounding', () => {
    const harness = new TreasuryHarness()
    harness.give({ type: 'supplySeen', supply: SUPPLY, onChain: SUPPLY + TZS - 1n })
    expect(alerts(harness)).toEqual([])
    harness.give({ type: 'supplySeen', supply: SUPPLY, onChain: SUPPLY + TZS })
    expect(alerts(harness)).toEqual(['treasury-supply-alarm'])
  })

  test('a usual fall is not reported, and one beyond the learned band is a notice', () => {
    const harness = new TreasuryHarness()
    let supply = SUPPLY
    for (let reading = 0; reading < 120; reading++) {
      supply += (reading % 2 === 0 ? -1n : 1n) * 1_000_000n * TZS
      harness.give({ type: 'supplySeen', supply, onChain: null })
    }
    expect(alerts(harness)).toEqual([])
    harness.give({ type: 'supplySeen', supply: supply - 100_000_000n * TZS, onChain: null })
    expect(alerts(harness)).toEqual(['treasury-supply-fell'])
  })

  test('with the exit set to lower, an alarm halves the target and stops refills of shillings', () => {
    const band = { target: 40n * TZS, refillBelow: 10n * TZS, skimAbove: 90n * TZS }
    const supply = { ...treasuryConfig().supply, exit: 'lower' as const }
    const harness = new TreasuryHarness({ policy: { bands: { NTZS: band } }, supply })
    const planned = () => harness.treasury.planInput(harness.now)?.config.policy.bands.NTZS
    expect(planned()).toEqual(band)
    harness.give({ type: 'supplySeen', supply: SUPPLY, onChain: 0n })
    expect(planned()).toEqual({ target: 20n * TZS, refillBelow: 0n, skimAbove: 20n * TZS })
    expect(harness.state.config.policy.bands.NTZS).toEqual(band)
  })
})
