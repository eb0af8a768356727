import type { Ms } from '../../../../src/base/time.ts'
import { zeroAmounts } from '../../../../src/base/money/asset.ts'
import { RATE_ONE } from '../../../../src/base/money/rate.ts'
import type { CompetitorOpening, World, WorldStep } from '../../../../src/simulator/sandbox/world/world.ts'

/** Virtual start of every scripted test. */
export const START: Ms = Date.UTC(2026, 2, 2, 6)

/** A world in which exactly this happens. The mid opens at 2500. */
export function scriptedWorld(
  steps: readonly WorldStep[] = [],
  competitors: readonly CompetitorOpening[] = [],
): World {
  let taken = 0
  return {
    openingMid: 2_500n * RATE_ONE,
    openingPrintedAt: START - 3_600_000,
    competitors,
    peekAt: () => steps[taken]?.at ?? Number.POSITIVE_INFINITY,
    next() {
      const step = steps[taken]
      if (step === undefined) throw new Error('the script is over')
      taken += 1
      return step
    },
  }
}

/** A competitor with plenty of everything. */
export function rival(
  name: string,
  bidBps: number | null,
  askBps: number | null,
  usdc = 1_000_000n,
): CompetitorOpening {
  return {
    name,
    bidBps,
    askBps,
    amounts: { ...zeroAmounts(), NTZS: 10n ** 27n, USDC: usdc * 10n ** 6n, USDT: 10n ** 12n },
  }
}
