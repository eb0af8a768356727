import type { Ms } from '../../base/time.ts'

/** What a desk allows a bad night: times in milliseconds, the cost in dollars or, where that is null, by share. */
export type Thresholds = {
  readonly maxNoticeMs: Ms
  readonly maxSafeMs: Ms
  readonly maxCostUsd: number | null
}

/** Of the capital that a drill deploys, where the desk names no sum. */
export const COST_SHARE = 0.02

export type Measured = {
  readonly noticeMs: Ms | null
  readonly safeMs: Ms | null
  readonly costUsd: number
  readonly capitalUsd: number
  readonly mustBeNoticed: boolean
}

/** Why a night is not survived, in a sentence; null = it is. The gravest comes first. */
export function judge(measured: Measured, { maxNoticeMs, maxSafeMs, maxCostUsd }: Thresholds): string | null {
  const { noticeMs, safeMs, costUsd, capitalUsd, mustBeNoticed } = measured
  if (safeMs === null) return 'it did not become safe'
  if (safeMs > maxSafeMs) return `safe after ${seconds(safeMs)}, and ${seconds(maxSafeMs)} are allowed`
  const most = maxCostUsd ?? capitalUsd * COST_SHARE
  if (costUsd > most) return `it cost ${costUsd.toFixed(2)} USD, and ${most.toFixed(2)} are allowed`
  if (!mustBeNoticed) return null
  if (noticeMs === null) return 'nobody noticed'
  if (noticeMs > maxNoticeMs)
    return `noticed after ${seconds(noticeMs)}, and ${seconds(maxNoticeMs)} are allowed`
  return null
}

function seconds(ms: Ms): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
