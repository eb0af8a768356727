import type { Ms } from '../../../base/time.ts'
import type { Observation } from '../../../core/engine/model/observation.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import type { Side } from '../../../base/money/side.ts'

/** A strategy's spreads outside the venue's bounds on one side, and the bound that replaced them. */
export type ClampedSpread = {
  readonly side: Side
  readonly sentBps: number
  /** Decisions in which the bound was approved instead. */
  readonly decisions: number
  /** The target furthest from the bound, and when the first one came. */
  readonly furthestBps: number
  readonly firstAt: Ms
}

/** Counts clamps; at most four entries. */
export function createClampCount() {
  const entries = new Map<string, ClampedSpread>()
  return {
    note(observations: readonly Observation[]): void {
      for (const one of observations) {
        if (one.type !== 'clamped') continue
        const { side, wanted, sent, t } = one
        const key = `${side} ${sent}`
        const known = entries.get(key) ?? {
          side,
          sentBps: sent,
          decisions: 0,
          furthestBps: wanted,
          firstAt: t,
        }
        const isFurther = Math.abs(wanted - sent) > Math.abs(known.furthestBps - sent)
        entries.set(key, {
          ...known,
          decisions: known.decisions + 1,
          furthestBps: isFurther ? wanted : known.furthestBps,
        })
      }
    },
    /** One entry per side and bound, in order of first occurrence. */
    list: (): readonly ClampedSpread[] => [...entries.values()],
  }
}

/** Returns the warning that the venue's bounds replaced a spread of the strategy. */
export function clampText({ side, sentBps, decisions, furthestBps, firstAt }: ClampedSpread): string {
  const often = decisions === 1 ? 'in one decision' : `in ${decisions} decisions`
  const since = new Date(firstAt).toISOString()
  return `the strategy wanted ${side === 'ask' ? 'an' : 'a'} ${side} outside ${MIN_SPREAD_BPS} to ${MAX_SPREAD_BPS} bps ${often}, first at ${since} and at worst ${Number(furthestBps.toFixed(2))} bps: ${sentBps} bps was quoted instead`
}
