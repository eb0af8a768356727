import type { Ms } from '../../../../../src/base/time.ts'
import type { RecalibrationView } from '../../../../../src/daemon/view/results/recalibration-view.ts'

/** A verdict of half an hour ago. */
export function exampleRecalibration(now: Ms, change: Partial<RecalibrationView> = {}): RecalibrationView {
  const at = now - 1_800_000
  const week = 7 * 86_400_000
  const [from, to] = [at - 8 * week, at - 4 * week]
  const k = { value: 0.02, low: 0.015, high: 0.025 }
  const a = { value: 40, low: 30, high: 50 }
  return {
    at,
    verdict: 'keep',
    reason: 'the lower bound is not above 0',
    adopted: false,
    estimated: { from, to },
    replayed: { from: to, to: at },
    current: { from: from - week, to: from - 1, fills: 200, a, k },
    candidate: { from, to, fills: 150, a, k },
    difference: { days: 28, replays: 8, meanUsd: 1.2, lowUsd: -0.5, highUsd: 2.9 },
    warnings: [],
    ...change,
  }
}
