import { HOURS_A_DAY } from './calendar.ts'
import type { ScenarioWorld } from './world.ts'

/**
 * Returns some days of a world as a world of their own, in log bps from the mid at their start: the gap between the true rate
 * and the mid (`gaps`, by hour) is then that of a venue that has been open for days. It has no outages, which only matter to
 * a maker who requotes.
 */
export function worldWindow(
  world: ScenarioWorld,
  gaps: Float64Array,
  day: number,
  days: number,
): ScenarioWorld {
  const [from, to] = [day * HOURS_A_DAY, (day + days) * HOURS_A_DAY]
  const mid = world.rate[from]! - gaps[from]!
  const within = <Timed extends { readonly hour: number }>(all: readonly Timed[]): Timed[] =>
    all.slice(firstFrom(all, from), firstFrom(all, to)).map((one) => ({ ...one, hour: one.hour - from }))
  const steps = (draws: Float64Array) => draws.subarray(2 * from, 2 * to)
  const { error, noise, patience } = world.rivals
  const { terms } = world.scenario
  return {
    ...world,
    scenario: { ...world.scenario, terms: { ...terms, feeFromDay: terms.feeFromDay - day } },
    days,
    rate: world.rate.slice(from, to + 1).map((bps) => bps - mid),
    updates: within(world.updates).map((update) => ({ ...update, bps: update.bps - mid })),
    retail: within(world.retail),
    looks: within(world.looks),
    outages: [],
    suspensions: world.suspensions.map((spell) => ({ from: spell.from - from, to: spell.to - from })),
    incidents: [],
    rivals: {
      error: steps(error),
      noise: noise.map(steps),
      patience: { bid: steps(patience.bid), ask: steps(patience.ask) },
    },
  }
}

/** Returns the index of the first entry at this hour or later. */
function firstFrom(ascending: readonly { readonly hour: number }[], hour: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]!.hour < hour) low = middle + 1
    else high = middle
  }
  return low
}
