import { setTimeout as pause } from 'node:timers/promises'
import { measureWindow } from './fleet/measure-window.ts'
import { type FleetRun, type RunningFleet, withFleet } from './fleet/running-fleet.ts'
import { spreadOfSamples } from './harness/spread-of-samples.ts'
import { shortOr } from './harness/short.ts'

/** How many positions, and how long the load lasts: for a machine of your own. */
const SIZES = numbersOf('MIZANI_FLEET_SIZES') ?? shortOr([4], [1, 40, 500])
const [LOAD_SECONDS = 0] = numbersOf('MIZANI_FLEET_SECONDS') ?? shortOr([4], [3_600])
const REST_SECONDS = Math.min(LOAD_SECONDS, shortOr(2, 60))
const SETTLE_MS = shortOr(1_000, 30_000)
/** A new mid every ten seconds and position, which is a PATCH beside its second. */
const MID_EVERY_MS = shortOr(3_000, 10_000)
const MIDS_MS = shortOr(6_000, 60_000)

/**
 * `mizani fleet` from the sources over a folder of positions, each at a key of its own, against a venue in a process of
 * its own, both on this machine. Every size at rest (default budget, plain HTTP); the largest one again with one request
 * a second and position over TLS, and then with mids that change at times fixed in advance.
 */
export default async function fleetBench(): Promise<Record<string, unknown>> {
  const rest: Record<string, unknown>[] = []
  for (const positions of SIZES) {
    console.log(`${positions} positions at rest, for ${REST_SECONDS} s ...`)
    rest.push(await run({ positions, pace: 'rest', tls: false }, atRest))
  }
  const positions = Math.max(...SIZES)
  console.log(`${positions} positions at one request a second each over TLS, for ${LOAD_SECONDS} s ...`)
  const load = await run({ positions, pace: 'second', tls: true }, underLoad)
  return { from: 'sources', rest, load }
}

async function run(
  form: FleetRun,
  measure: (fleet: RunningFleet) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  return withFleet(form, async (fleet) => {
    console.log(`  all ready after ${fleet.readyMs} ms`)
    await pause(SETTLE_MS)
    const { positions } = form
    return { positions, readyMs: fleet.readyMs, tls: fleet.isTls, ...(await measure(fleet)) }
  })
}

async function atRest(fleet: RunningFleet): Promise<Record<string, unknown>> {
  return measureWindow(fleet, REST_SECONDS)
}

async function underLoad(fleet: RunningFleet): Promise<Record<string, unknown>> {
  const figures = await measureWindow(fleet, LOAD_SECONDS)
  console.log(`  mids that change every ${MID_EVERY_MS / 1_000} s at fixed times ...`)
  const { due, missed, dueToPatchMs, answerToPatchMs } = await fleet.venue.moveMids(MID_EVERY_MS, MIDS_MS)
  const { delayP999Ms } = await fleet.venue.figures()
  return {
    ...figures,
    openLoop: {
      due,
      missed,
      dueToPatchMs: spreadOfSamples(dueToPatchMs),
      answerToPatchMs: spreadOfSamples(answerToPatchMs),
      venueDelayP999Ms: Math.round(delayP999Ms * 10) / 10,
    },
  }
}

/** Whole numbers above 0 with commas between them; undefined where the variable is not set. */
function numbersOf(variable: string): number[] | undefined {
  const text = process.env[variable]
  if (text === undefined) return undefined
  const numbers = text.split(',').map(Number)
  if (numbers.every((number) => Number.isSafeInteger(number) && number > 0)) return numbers
  throw new Error(`${variable} is '${text}'; expected whole numbers such as 1,40,500`)
}
