import { invariant } from '../../../base/result.ts'
import { seededRandom } from '../../../base/random.ts'
import { DAY_MS, HOUR_MS, type Ms } from '../../../base/time.ts'
import { HOURS_A_DAY } from '../../../research/scenarios/draw/calendar.ts'
import {
  drawWorld,
  prepareScenario,
  type PreparedScenario,
  type ScenarioWorld,
} from '../../../research/scenarios/draw/world.ts'
import { Rivals } from '../../../research/scenarios/play/rivals.ts'
import type { Scenario } from '../../../research/scenarios/scenario.ts'

/** Whole weeks, so that every quarter begins on a Monday. */
const QUARTER_DAYS = 91
const QUARTER_HOURS = QUARTER_DAYS * HOURS_A_DAY
const WEEK_HOURS = 7 * HOURS_A_DAY
/** The opening leaves at least this much of the first quarter ahead. */
const LATEST_OPENING_WEEK = 10

export type Quarter = {
  readonly index: number
  readonly world: ScenarioWorld
  readonly rivals: Rivals
  /** The true rate at its beginning, bps from that of the first quarter. */
  readonly offsetBps: number
}

/**
 * Runs the worlds of a scenario one after another in the venue's time, each drawn when it begins: the rate continues,
 * and each quarter has its own draws. Nothing is published on the first day of a quarter, as on the first day of a
 * world.
 */
export class Quarters {
  readonly #prepared: PreparedScenario
  readonly #seed: number
  readonly #all: Quarter[] = []
  readonly #origin: Ms
  /** The hour of the first world in which the venue opens. */
  readonly openingHour: number

  constructor(scenario: Scenario, seed: number, start: Ms) {
    this.#prepared = preparedOf(scenario)
    this.#seed = seed
    const intoWeek = (start - mondayBefore(start)) / HOUR_MS
    const week = openingWeek(this.quarter(0).world, intoWeek)
    this.openingHour = week * WEEK_HOURS + intoWeek
    this.#origin = mondayBefore(start) - week * WEEK_HOURS * HOUR_MS
  }

  quarter(index: number): Quarter {
    for (let next = this.#all.length; next <= index; next++) {
      const seed = next === 0 ? this.#seed : seedOf(this.#seed, next)
      const world = next === 0 ? firstWorld(this.#prepared, seed) : drawWorld(this.#prepared, seed)
      const before = this.#all[next - 1]
      const offsetBps = before === undefined ? 0 : before.offsetBps + (before.world.rate[QUARTER_HOURS] ?? 0)
      this.#all.push({ index: next, world, rivals: new Rivals(world), offsetBps })
    }
    const found = this.#all[index]
    invariant(found !== undefined, 'a quarter is drawn before it is read')
    return found
  }

  /** The venue's time of an hour of a quarter, in whole milliseconds. */
  timeOf({ index }: Quarter, hour: number): Ms {
    return this.#origin + Math.ceil((index * QUARTER_HOURS + hour) * HOUR_MS)
  }

  /** Returns the true rate, bps from that at the beginning of the first quarter; earlier times return the rate there. */
  rateAt(at: Ms): number {
    const hour = Math.max(0, Math.floor((at - this.#origin) / HOUR_MS))
    const { world, offsetBps } = this.quarter(Math.floor(hour / QUARTER_HOURS))
    return offsetBps + (world.rate[hour % QUARTER_HOURS] ?? 0)
  }
}

/** Measuring the informed takers of a scenario needs two dozen worlds, so it is done once per process. */
const prepared = new Map<string, PreparedScenario>()

function preparedOf(scenario: Scenario): PreparedScenario {
  const { looksPerDay, looksAfterTypo, errorBps } = scenario.informed
  const needsGap = errorBps > 0 && looksPerDay + looksAfterTypo > 0
  if (!needsGap) return { scenario, days: QUARTER_DAYS, gapBps: 0 }
  const { rate, publication, incidents } = scenario
  const key = JSON.stringify([rate, publication, incidents])
  const known = prepared.get(key) ?? prepareScenario(scenario, QUARTER_DAYS)
  prepared.set(key, known)
  return { ...known, scenario }
}

/** The last opened market, cached because drills and tests open the same one repeatedly and worlds are immutable. */
let opened: { readonly key: string; readonly world: ScenarioWorld } | null = null

function firstWorld(scenario: PreparedScenario, seed: number): ScenarioWorld {
  const key = JSON.stringify([scenario, seed])
  if (opened?.key !== key) opened = { key, world: drawWorld(scenario, seed) }
  return opened.world
}

function seedOf(seed: number, quarter: number): number {
  return Math.floor(seededRandom(seed, `quarter ${quarter}`)() * 2 ** 31)
}

function mondayBefore(at: Ms): Ms {
  const day = Math.floor(at / DAY_MS)
  // The epoch was a Thursday.
  return (day - ((((day + 3) % 7) + 7) % 7)) * DAY_MS
}

/**
 * Returns the week in which the venue opens: the last one before a run, a depeg or a mistyped update, so that a
 * viewer soon sees the scenario's event; the second week if the scenario has no event.
 */
function openingWeek({ incidents }: ScenarioWorld, intoWeek: number): number {
  const first = incidents.find((hour) => hour > WEEK_HOURS + intoWeek)
  if (first === undefined) return 1
  return Math.min(LATEST_OPENING_WEEK, Math.max(1, Math.ceil((first - intoWeek) / WEEK_HOURS) - 1))
}
