import { drawExponential, drawNormal, seededRandom } from '../../../base/random.ts'
import type { Scenario } from '../scenario.ts'
import { drawArrivals, drawIncidents, drawOrnsteinUhlenbeck } from './arrivals.ts'
import { dayOfHour, HOURS_A_DAY, isWorkingDay, workingDayFrom } from './calendar.ts'

export type TrueRate = {
  /** Dollars against shillings at each hour, log bps from the opening mid. */
  readonly dollar: Float64Array
  /** The traded token: the dollar less the fall of the stablecoin. */
  readonly token: Float64Array
  /** First days of the runs, ascending. */
  readonly runDays: readonly number[]
  /** When falls of the stablecoin begin, ascending, in hours. */
  readonly depegs: readonly number[]
}

const LEAST_RUN_BPS = 20
const RUN_FROM_HOUR = 6
const RUN_HOURS = 8
/** A run returns in equal parts on the working days of the two weeks after it. */
const RETURN_DAYS = 10

/** Draws the true rate in hourly steps: a diffusion with a varying drift, and runs. */
export function drawTrueRate({ rate, regime, incidents }: Scenario, seed: number, days: number): TrueRate {
  const hours = days * HOURS_A_DAY
  const moves = seededRandom(seed, 'rate')
  const wander = seededRandom(seed, 'drift')
  const drift = drawOrnsteinUhlenbeck(() => drawNormal(wander), hours, rate.driftHalfLifeDays * HOURS_A_DAY)
  const { byHour, runDays } = drawRuns(rate, seed, days)
  const dollar = new Float64Array(hours + 1)
  const dt = 1 / HOURS_A_DAY
  const sd = rate.sigmaBps * Math.sqrt(dt)
  for (let hour = 0; hour < hours; hour++) {
    const isChanged = dayOfHour(hour) >= regime.fromDay
    const step = sd * (isChanged ? regime.sigmaFactor : 1) * drawNormal(moves)
    const usual = rate.driftBpsPerDay + rate.driftSdBpsPerDay * (drift[hour] ?? 0)
    const mu = isChanged ? usual + regime.driftBpsPerDay : usual
    const isOn = rate.movesAtWeekends || isWorkingDay(dayOfHour(hour))
    dollar[hour + 1] = (dollar[hour] ?? 0) + (isOn ? mu * dt + step : 0) + (byHour[hour] ?? 0)
  }
  return { dollar, ...withDepegs(dollar, incidents.depegs, seed, days), runDays }
}

/** Draws the hourly additions of runs. */
function drawRuns(rate: Scenario['rate'], seed: number, days: number) {
  const random = seededRandom(seed, 'jumps')
  const byHour = new Float64Array(days * HOURS_A_DAY)
  const runDays = drawIncidents(random, days, rate.runs).map((hour) => workingDayFrom(dayOfHour(hour)))
  const add = (day: number, bps: number): void => {
    for (let hour = 0; hour < RUN_HOURS; hour++) {
      const at = day * HOURS_A_DAY + RUN_FROM_HOUR + hour
      if (at < byHour.length) byHour[at] = (byHour[at] ?? 0) + bps / RUN_HOURS
    }
  }
  for (const start of runDays) {
    const isUp = random() < 0.5
    const sign = rate.runDirection === 'either' ? (isUp ? 1 : -1) : rate.runDirection === 'up' ? 1 : -1
    let day = start
    let total = 0
    for (let run = 0; run < rate.runDays; run++) {
      const bps = sign * Math.max(LEAST_RUN_BPS, rate.runBps + rate.runSdBps * drawNormal(random))
      add(day, bps)
      total += bps
      day = workingDayFrom(day + 1)
    }
    for (let back = 0; back < RETURN_DAYS; back++) {
      add(day, (-total * rate.runBackShare) / RETURN_DAYS)
      day = workingDayFrom(day + 1)
    }
  }
  return { byHour, runDays }
}

const DEPEG_LEAST_BPS = 120
const DEPEG_MEAN_BPS = 180
const DEPEG_LEAST_HOURS = 24
const DEPEG_MEAN_HOURS = 30
const DEPEG_RISE_HOURS = 3

function withDepegs(
  dollar: Float64Array,
  perQuarter: number,
  seed: number,
  days: number,
): { readonly token: Float64Array; readonly depegs: readonly number[] } {
  const random = seededRandom(seed, 'depegs')
  const starts = drawIncidents(random, days, perQuarter)
  if (starts.length === 0) return { token: dollar, depegs: starts }
  const token = Float64Array.from(dollar)
  for (const start of starts) {
    const depth = DEPEG_LEAST_BPS + drawExponential(random, DEPEG_MEAN_BPS)
    const length = DEPEG_LEAST_HOURS + drawExponential(random, DEPEG_MEAN_HOURS)
    for (let hour = Math.ceil(start); hour < token.length; hour++) {
      const since = hour - start
      const fallen = depth * Math.exp(-since / length) * Math.min(1, since / DEPEG_RISE_HOURS)
      token[hour] = (token[hour] ?? 0) - fallen
    }
  }
  return { token, depegs: starts }
}

/** Draws the times in which the router leaves us out. */
export function drawSuspensions({ terms }: Scenario, seed: number, days: number): readonly Outage[] {
  const starts = drawIncidents(seededRandom(seed, 'suspensions'), days, terms.suspensions)
  return starts.map((from) => ({ from, to: from + terms.suspensionDays * HOURS_A_DAY }))
}

/** Draws the times in which we cannot decide: ascending, from and to in hours. */
export function drawOutages({ incidents }: Scenario, seed: number, days: number): readonly Outage[] {
  const random = seededRandom(seed, 'outages')
  const starts = drawArrivals(random, days * HOURS_A_DAY, () => incidents.outagesPerDay / HOURS_A_DAY)
  return starts.map((from) => ({ from, to: from + drawExponential(random, incidents.outageHours) }))
}

export type Outage = { readonly from: number; readonly to: number }
