import { drawNormal, seededRandom } from '../../../base/random.ts'
import type { Scenario } from '../scenario.ts'
import { drawIncidents, drawOrnsteinUhlenbeck } from './arrivals.ts'
import { dayOfHour, HOURS_A_DAY, isWorkingDay } from './calendar.ts'
import { drawUpdates, type Update } from './publication.ts'
import { drawLooks, drawRetail, type Look, type Retail } from './takers.ts'
import { drawOutages, drawSuspensions, drawTrueRate, type Outage } from './true-rate.ts'

/**
 * The part of a market that does not depend on anyone's quotes, drawn in advance. Equal scenarios, seeds and days
 * give equal worlds, so every strategy meets the same customers at the same rates (common random numbers).
 */
export type ScenarioWorld = {
  readonly scenario: Scenario
  readonly seed: number
  readonly days: number
  /** The true rate of the token at each hour, log bps from the opening mid. */
  readonly rate: Float64Array
  readonly updates: readonly Update[]
  /** Both sides, ascending in time. */
  readonly retail: readonly Retail[]
  readonly looks: readonly Look[]
  readonly outages: readonly Outage[]
  readonly suspensions: readonly Outage[]
  /** When runs, falls of the stablecoin and mistyped updates begin, ascending, in hours. */
  readonly incidents: readonly number[]
  /** By half hour: whether the feed is up, its error in units of its tau, and the half hour that it shows. */
  readonly feed: {
    readonly isUp: Uint8Array
    readonly error: Float64Array
    readonly shown: Int32Array
  }
  readonly rivals: RivalDraws
  /** Root mean square of the gap between the true rate and the mid in this scenario, bps. */
  readonly gapBps: number
}

/** By half hour. */
export type RivalDraws = {
  /** Standard error of the feed that the following rivals read. */
  readonly error: Float64Array
  /** Uniform in -1..1, a row for each side of each static rival. */
  readonly noise: readonly Float64Array[]
  /** Uniform in 0..1, for each side: whether the undercutting rival gives up when it has no room left. */
  readonly patience: { readonly bid: Float64Array; readonly ask: Float64Array }
}

/** A scenario with the informed takers' knowledge of it. */
export type PreparedScenario = {
  readonly scenario: Scenario
  readonly days: number
  readonly gapBps: number
}

const PILOT_WORLDS = 24

/** Measures the gap that informed takers expect, over separately seeded worlds. */
export function prepareScenario(scenario: Scenario, days: number): PreparedScenario {
  let sum = 0
  let hours = 0
  for (let pilot = 1; pilot <= PILOT_WORLDS; pilot++) {
    const seed = Math.floor(seededRandom(pilot, 'pilot world')() * 2 ** 31)
    const rate = drawTrueRate(scenario, seed, days)
    const gaps = hourlyGaps(rate.token, drawUpdates(scenario, rate, seed, days))
    for (const gap of gaps) sum += gap * gap
    hours += gaps.length
  }
  return { scenario, days, gapBps: Math.sqrt(sum / hours) }
}

/** Returns the true rate less the current mid, at each hour. */
export function hourlyGaps(rate: Float64Array, updates: readonly Update[]): Float64Array {
  let next = 0
  let mid = 0
  return rate.map((bps, hour) => {
    for (; next < updates.length && (updates[next]?.hour ?? Infinity) <= hour; next++)
      mid = updates[next]?.bps ?? mid
    return bps - mid
  })
}

/** Draws a world from labelled streams, so that a change of one part leaves the others unchanged. */
export function drawWorld({ scenario, days, gapBps }: PreparedScenario, seed: number): ScenarioWorld {
  const rate = drawTrueRate(scenario, seed, days)
  const updates = drawUpdates(scenario, rate, seed, days)
  const retail = (['ask', 'bid'] as const).flatMap((side) => drawRetail(scenario, side, seed, days))
  const runs = rate.runDays.map((day) => day * HOURS_A_DAY)
  const typos = updates.filter(({ isTypo }) => isTypo).map(({ hour }) => hour)
  return {
    scenario,
    seed,
    days,
    rate: rate.token,
    updates,
    retail: retail.sort((a, b) => a.hour - b.hour),
    looks: drawLooks(scenario, updates, seed, days),
    outages: drawOutages(scenario, seed, days),
    suspensions: drawSuspensions(scenario, seed, days),
    incidents: [...runs, ...rate.depegs, ...typos].sort((a, b) => a - b),
    feed: drawFeed(scenario, seed, days),
    rivals: drawRivals(scenario, seed, days),
    gapBps,
  }
}

const STEPS_A_DAY = 48
/** Probability per half hour that a feed that is down recovers. */
const BACK_UP = 0.08
const BOARD_FROM = 5
const BOARD_TO = 14

function drawFeed({ feed }: Scenario, seed: number, days: number): ScenarioWorld['feed'] {
  const random = seededRandom(seed, 'feed')
  const steps = days * STEPS_A_DAY
  const error = drawOrnsteinUhlenbeck(() => drawNormal(random), steps, feed.halfLifeDays * STEPS_A_DAY)
  const states = seededRandom(seed, 'feed up')
  const down = (BACK_UP * (1 - feed.upShare)) / feed.upShare
  const isUp = new Uint8Array(steps)
  let up = true
  for (let step = 0; step < steps; step++) {
    if (step > 0) up = states() < (up ? 1 - down : BACK_UP)
    isUp[step] = up && (!feed.isBoard || isBoardOpen(step / 2)) ? 1 : 0
  }
  const shown = new Int32Array(steps).map((_, step) =>
    Math.max(0, step - Math.round((feed.delayHours * STEPS_A_DAY) / HOURS_A_DAY)),
  )
  for (const hour of drawIncidents(seededRandom(seed, 'feed stuck'), days, feed.stuckSpells)) {
    const from = Math.floor(hour * 2)
    shown.fill(shown[from] ?? 0, from, from + Math.round(feed.stuckDays * STEPS_A_DAY))
  }
  return { isUp, error: error.map((z) => heavyTailed(z, feed.tailWeight)), shown }
}

/** Returns Tukey's h-transform of a standard normal value, scaled to sd 1. */
function heavyTailed(z: number, h: number): number {
  return z * Math.exp((h * z * z) / 2) * (1 - 2 * h) ** 0.75
}

function isBoardOpen(hour: number): boolean {
  const ofDay = hour % HOURS_A_DAY
  return isWorkingDay(dayOfHour(hour)) && ofDay >= BOARD_FROM && ofDay < BOARD_TO
}

function drawRivals({ rivals, feed }: Scenario, seed: number, days: number): RivalDraws {
  const steps = days * STEPS_A_DAY
  const errors = seededRandom(seed, 'rivals')
  const uniform = (label: string, from: number): Float64Array => {
    const random = seededRandom(seed, label)
    return new Float64Array(steps).map(() => from + (1 - from) * random())
  }
  return {
    error: drawOrnsteinUhlenbeck(() => drawNormal(errors), steps, feed.halfLifeDays * STEPS_A_DAY),
    noise: rivals.staticBps.flatMap((_, index) => [
      uniform(`static ${index} bid`, -1),
      uniform(`static ${index} ask`, -1),
    ]),
    patience: { bid: uniform('undercut bid', 0), ask: uniform('undercut ask', 0) },
  }
}
