import type { Ms } from '../../../base/time.ts'

/** A desk's limits for a bad night: times in milliseconds, the cost in dollars or, if null, as a share. */
export type Thresholds = {
  readonly maxNoticeMs: Ms
  /** From the end of the fault, if it lasts. */
  readonly maxSafeMs: Ms
  readonly maxCostUsd: number | null
}

/** Share of the drill's capital, if the desk names no sum. */
export const COST_SHARE = 0.02

export type MeasuredNight = {
  readonly noticeMs: Ms | null
  /** From the beginning of the night. */
  readonly safeMs: Ms | null
  /** Duration of the fault itself. */
  readonly faultMs: Ms
  readonly costUsd: number
  readonly capitalUsd: number
  readonly mustBeNoticed: boolean
}

/** Why a night is not survived. */
export type Failure = {
  readonly kind: 'safety' | 'cost' | 'notice'
  /** In a sentence. */
  readonly why: string
  /** Milliseconds, or dollars for the cost; `actual` null = it did not happen. */
  readonly allowed: number
  readonly actual: number | null
}

/** Returns the gravest failure; null = the night is survived. */
export function judge(
  measured: MeasuredNight,
  { maxNoticeMs, maxSafeMs, maxCostUsd }: Thresholds,
): Failure | null {
  const { noticeMs, safeMs, faultMs, costUsd, capitalUsd, mustBeNoticed } = measured
  const neededMs = safeMs === null ? null : Math.max(0, safeMs - faultMs)
  if (neededMs === null || neededMs > maxSafeMs)
    return {
      kind: 'safety',
      why: lateText(neededMs, faultMs, maxSafeMs),
      allowed: maxSafeMs,
      actual: neededMs,
    }
  const most = maxCostUsd ?? capitalUsd * COST_SHARE
  if (costUsd > most) {
    const why = `it cost ${costUsd.toFixed(2)} USD, and ${most.toFixed(2)} are allowed`
    return { kind: 'cost', why, allowed: most, actual: costUsd }
  }
  if (!mustBeNoticed || (noticeMs !== null && noticeMs <= maxNoticeMs)) return null
  const why =
    noticeMs === null
      ? 'no one noticed'
      : `noticed after ${seconds(noticeMs)}, and ${seconds(maxNoticeMs)} are allowed`
  return { kind: 'notice', why, allowed: maxNoticeMs, actual: noticeMs }
}

function lateText(neededMs: Ms | null, faultMs: Ms, maxSafeMs: Ms): string {
  const end = faultMs === 0 ? '' : ` of the end of the fault, which lasts ${seconds(faultMs)}`
  if (neededMs === null) return `it did not become safe within ${seconds(maxSafeMs)}${end}`
  const after = faultMs === 0 ? 'after' : `with the fault, which lasts ${seconds(faultMs)}, over for`
  return `safe ${after} ${seconds(neededMs)}, and ${seconds(maxSafeMs)} are allowed`
}

function seconds(ms: Ms): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
