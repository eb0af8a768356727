import { drawExponential, type Random } from '../../../base/random.ts'
import { FIRST_INCIDENT_DAY, INCIDENT_DAYS_BEFORE_END, QUARTER_DAYS } from './calendar.ts'

/** Returns the ascending times of a Poisson process of `perHour(hour)` arrivals, constant within an hour. */
export function drawArrivals(random: Random, hours: number, perHour: (hour: number) => number): number[] {
  const times: number[] = []
  for (let hour = 0; hour < hours; hour++) {
    const rate = perHour(hour)
    if (rate <= 0) continue
    for (let t = drawExponential(random) / rate; t < 1; t += drawExponential(random) / rate)
      times.push(hour + t)
  }
  return times
}

/** Returns the ascending times in hours of incidents at this rate per quarter. */
export function drawIncidents(random: Random, days: number, perQuarter: number): number[] {
  const span = Math.max(0, days - INCIDENT_DAYS_BEFORE_END - FIRST_INCIDENT_DAY)
  const times: number[] = []
  const quarterSpan = QUARTER_DAYS - INCIDENT_DAYS_BEFORE_END - FIRST_INCIDENT_DAY
  const rate = perQuarter / quarterSpan
  if (rate <= 0) return times
  for (let t = drawExponential(random) / rate; t < span; t += drawExponential(random) / rate)
    times.push((FIRST_INCIDENT_DAY + t) * 24)
  return times
}

/** Returns standard Ornstein-Uhlenbeck values, stationary from the start, one per step; `halfLife` in steps. */
export function drawOrnsteinUhlenbeck(normal: () => number, steps: number, halfLife: number): Float64Array {
  const values = new Float64Array(steps)
  const keep = 2 ** (-1 / halfLife)
  const fresh = Math.sqrt(1 - keep * keep)
  let value = normal()
  for (let step = 0; step < steps; step++) {
    values[step] = value
    value = keep * value + fresh * normal()
  }
  return values
}
