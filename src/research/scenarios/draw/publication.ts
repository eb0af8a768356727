import { drawNormal, seededRandom } from '../../../base/random.ts'
import type { Scenario } from '../scenario.ts'
import { drawIncidents } from './arrivals.ts'
import { dayOfHour, HOURS_A_DAY, isWorkingDay, workingDayBefore } from './calendar.ts'
import type { TrueRate } from './true-rate.ts'

/** The venue shows a new mid from `hour` on, in log bps from the opening mid. */
export type Update = { readonly hour: number; readonly bps: number; readonly isTypo: boolean }

const PUBLISHED_WITHIN_HOURS = 1 / 6
const CORRECTED_AFTER_HOURS = 2
const HOLD_WITH_RUN = 0.7

/**
 * Returns the published mids: on working days the level moves a share of the way to the mean of the previous working
 * day, and is published with noise. The first one describes day 0, so day 0 itself trades at the opening mid.
 */
export function drawUpdates(
  { publication }: Scenario,
  { dollar, runDays }: TrueRate,
  seed: number,
  days: number,
): readonly Update[] {
  const random = seededRandom(seed, 'updates')
  const held = drawHolds(publication, runDays, seed, days)
  const updates: Update[] = []
  let level = 0
  for (let day = 1; day < days; day++) {
    if (!isWorkingDay(day)) continue
    for (const [index, at] of publication.atHours.toSorted((a, b) => a - b).entries()) {
      const described = index === 0 ? meanOfDay(dollar, workingDayBefore(day)) : meanOfDay(dollar, day, at)
      level += publication.kappa * (described - level)
      const hour = day * HOURS_A_DAY + at + PUBLISHED_WITHIN_HOURS * random()
      const bps = level + publication.noiseBps * drawNormal(random)
      if (!held.has(day)) updates.push({ hour, bps, isTypo: false })
    }
  }
  return withTypos(updates, publication, seed, days)
}

/** Returns the mean of a day's first hours; each hour's rate holds until the next. */
function meanOfDay(rate: Float64Array, day: number, hours = HOURS_A_DAY): number {
  let sum = 0
  for (let hour = 0; hour < hours; hour++) sum += rate[day * HOURS_A_DAY + hour] ?? 0
  return sum / hours
}

/** Draws the days without a publication. */
function drawHolds(
  { holds, holdDays }: Scenario['publication'],
  runDays: readonly number[],
  seed: number,
  days: number,
): ReadonlySet<number> {
  const random = seededRandom(seed, 'holds')
  const held = new Set<number>()
  for (const hour of drawIncidents(random, days, holds)) {
    const from = dayOfHour(hour)
    const withRun = random() < HOLD_WITH_RUN ? runDays.find((day) => day >= from) : undefined
    for (let day = withRun ?? from, left = holdDays; left > 0; day++, left--) held.add(day)
  }
  return held
}

/** A mistyped update is followed by its correction. */
function withTypos(
  updates: readonly Update[],
  { typos, typoBps }: Scenario['publication'],
  seed: number,
  days: number,
): readonly Update[] {
  const random = seededRandom(seed, 'typos')
  const wrong = new Map<number, number>()
  for (const hour of drawIncidents(random, days, typos)) {
    const index = updates.findIndex((update) => update.hour >= hour)
    const bps = random() < 0.5 ? typoBps : -typoBps
    if (index >= 0) wrong.set(index, bps)
  }
  return updates.flatMap((update, index): readonly Update[] => {
    const off = wrong.get(index)
    if (off === undefined) return [update]
    const corrected = { ...update, hour: update.hour + CORRECTED_AFTER_HOURS }
    return [{ hour: update.hour, bps: update.bps + off, isTypo: true }, corrected]
  })
}
