import { DAY_MS } from '../../../../src/base/time.ts'
import { createWorld } from '../../../../src/sandbox/world/create-world.ts'
import type { ScenarioName } from '../../../../src/sandbox/world/scenario.ts'
import { createPublication, openingDayOf } from '../../../../src/sandbox/world/publication.ts'
import { SCENARIO_PARAMS } from '../../../../src/sandbox/world/scenarios.ts'
import { createTrueRate } from '../../../../src/sandbox/world/true-rate.ts'
import type { WorldStep } from '../../../../src/sandbox/world/world.ts'
import type { Rate } from '../../../../src/money/rate.ts'

/** Monday 2026-08-03, 06:00 UTC: an hour before the first print. */
export const MONDAY = 1_785_736_800_000

export type StepOf<Type extends WorldStep['type']> = Extract<WorldStep, { type: Type }>

export type Story = {
  readonly steps: readonly WorldStep[]
  readonly of: <Type extends WorldStep['type']>(type: Type) => StepOf<Type>[]
  /** The venue's mid when each step happened. */
  readonly midAt: ReadonlyMap<WorldStep, Rate>
}

type Choice = {
  readonly scenario: ScenarioName
  readonly seed?: number
  readonly start?: number
  readonly days: number
}

/** Tells a scenario to a venue that publishes what is printed. */
export function tell({ scenario, seed = 1, start = MONDAY, days }: Choice): Story {
  const world = createWorld({ scenario, seed, start })
  const steps: WorldStep[] = []
  const midAt = new Map<WorldStep, Rate>()
  let mid = world.openingMid
  while (world.peekAt() < start + days * DAY_MS) {
    const step = world.next(mid)
    if (step.type === 'print') mid = step.mid
    steps.push(step)
    midAt.set(step, mid)
  }
  const of = <Type extends WorldStep['type']>(type: Type) =>
    steps.filter((step): step is StepOf<Type> => step.type === type)
  return { steps, of, midAt }
}

/** The prints of so many days from `MONDAY` on, without the rest of the world. */
export function printsOf(scenario: ScenarioName, seed: number, days: number): StepOf<'print'>[] {
  const params = SCENARIO_PARAMS[scenario]
  const trueRate = createTrueRate(params.trueRate, seed, MONDAY, openingDayOf(MONDAY))
  const publication = createPublication(params.publication, trueRate, seed, MONDAY)
  const prints: StepOf<'print'>[] = []
  while (publication.peekAt() < MONDAY + days * DAY_MS) {
    const step = publication.next(0n)
    if (step.type === 'print') prints.push(step)
  }
  return prints
}

export const isAsk = (step: StepOf<'swap'>): boolean => step.to === 'NTZS'
export const isRetail = (step: StepOf<'swap'>): boolean => step.taker.startsWith('retail')

/** Bps of the logarithm between consecutive mids. */
export function returnsBps(mids: readonly Rate[]): number[] {
  const logs = mids.map((mid) => Math.log(Number(mid)))
  return logs.slice(1).map((log, i) => 10_000 * (log - logs[i]!))
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function deviation(values: readonly number[]): number {
  const average = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2)))
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
