import { invariant } from '../../base/result.ts'
import { seededRandom } from '../../base/random.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Ms } from '../../base/time.ts'
import { RATE_ONE, type Rate } from '../../money/rate.ts'
import { dayOf, isWorkingDay, type TrueRate, workingDayBefore } from './true-rate.ts'
import type { PublicationParams } from './scenario.ts'
import type { Source, WorldStep } from './world.ts'

/** 10:00 in Dar es Salaam. */
const PUBLISHED_AT_MS: Ms = 7 * HOUR_MS
const LATEST_DELAY_MS: Ms = 10 * MINUTE_MS

/** The working day whose print is the one standing at `start`. */
export function openingDayOf(start: Ms): number {
  const today = dayOf(start)
  return isWorkingDay(today) && start >= publishedFrom(today) ? today : workingDayBefore(today)
}

/** The earliest moment of a day's print. */
export function publishedFrom(day: number): Ms {
  return day * DAY_MS + PUBLISHED_AT_MS
}

/** Prints on working days, a few minutes after 07:00 UTC, with the scenario's gaps and slips of the pen. */
export function createPublication(
  params: PublicationParams,
  trueRate: TrueRate,
  seed: number,
  start: Ms,
): Source {
  const random = seededRandom(seed, 'publication')
  const queue: WorldStep[] = []
  let day = openingDayOf(start)
  let printed = 0
  const isHeldBack = (at: Ms): boolean => params.heldBackForMs > 0 && at < start + params.heldBackForMs
  const fill = (): WorldStep => {
    while (queue.length === 0) {
      day++
      if (!isWorkingDay(day)) continue
      const at = publishedFrom(day) + Math.floor(random() * LATEST_DELAY_MS)
      if (isHeldBack(at)) continue
      printed++
      const right = rateFromBps(trueRate.printOf(day))
      const slip = params.mistyped !== null && params.mistyped.print === printed ? params.mistyped : null
      if (slip === null) queue.push({ at, type: 'print', mid: printedRate(right) })
      else {
        queue.push({ at, type: 'print', mid: printedRate(right * (1 + slip.bps / 10_000)) })
        queue.push({ at: at + slip.correctedAfterMs, type: 'print', mid: printedRate(right) })
      }
    }
    return queue[0]!
  }
  return {
    peekAt: () => fill().at,
    next() {
      const step = fill()
      queue.shift()
      return step
    },
  }
}

/** The published mean that every world opens with, TZS per USD. */
export const OPENING_TZS = 2568.1584

/** A rate with the four decimals that the central bank publishes. */
export function printedRate(tzsPerUsd: number): Rate {
  invariant(Number.isFinite(tzsPerUsd) && tzsPerUsd > 1, 'a simulated rate must be a rate')
  return (BigInt(Math.round(tzsPerUsd * 10_000)) * RATE_ONE) / 10_000n
}

/** The opening mid moved by so many bps of the logarithm. */
export function rateFromBps(bps: number): number {
  return OPENING_TZS * Math.exp(bps / 10_000)
}

/** The inverse of `rateFromBps`. */
export function bpsFromRate(tzsPerUsd: number): number {
  return 10_000 * Math.log(tzsPerUsd / OPENING_TZS)
}
