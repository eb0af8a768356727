import { DAY_MS } from '../../../../../src/base/time.ts'
import type { Rate } from '../../../../../src/base/money/rate.ts'
import { createWorld, type Restocking } from '../../../../../src/simulator/sandbox/world/create-world.ts'
import type { World, WorldStep } from '../../../../../src/simulator/sandbox/world/world.ts'
import type { Quotes } from '../../../../../src/research/scenarios/play/participant.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

/** Monday 2026-08-03, 06:00 UTC: an hour before the first print. */
export const MONDAY = 1_785_736_800_000
export const NO_QUOTE: Quotes = { bidBps: null, askBps: null }

export type StepOf<Type extends WorldStep['type']> = Extract<WorldStep, { type: Type }>

export type Story = {
  readonly world: World
  readonly steps: readonly WorldStep[]
  readonly of: <Type extends WorldStep['type']>(type: Type) => StepOf<Type>[]
  /** The venue's mid when each step happened. */
  readonly midAt: ReadonlyMap<WorldStep, Rate>
}

type Choice = {
  readonly scenario: string
  readonly seed?: number
  readonly start?: number
  readonly days: number
  readonly retailFactor?: number
  readonly restocking?: Restocking
}

/** Plays a scenario to a venue that publishes what is printed, and to which nothing of ours is shown. */
export function tell({ scenario, seed = 1, start = MONDAY, days, ...more }: Choice): Story {
  const world = createWorld({ scenario: shippedScenario(scenario), seed, start, ...more })
  const steps: WorldStep[] = []
  const midAt = new Map<WorldStep, Rate>()
  let mid = world.openingMid
  while (world.peekAt() < start + days * DAY_MS) {
    const step = world.next(mid, () => NO_QUOTE)
    if (step.type === 'print') mid = step.mid
    steps.push(step)
    midAt.set(step, mid)
  }
  const of = <Type extends WorldStep['type']>(type: Type) =>
    steps.filter((step): step is StepOf<Type> => step.type === type)
  return { world, steps, of, midAt }
}
