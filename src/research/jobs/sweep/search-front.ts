import { join, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { frontPage } from '../../report/pages/front-page.ts'
import { writeWhole } from '../../sweep/results/parquet.ts'
import { type Front, frontOf } from '../../sweep/search/front.ts'
import { runSearch, type SearchOrder, type SearchResult } from '../../sweep/search/run-search.ts'
import { genomeOf } from '../../sweep/search/space.ts'
import { numberVariants } from '../../sweep/variant.ts'
import { CHANGED, checkEach } from './check-variants.ts'
import { seedOf, sweepPool } from './order-sweep.ts'
import type { Question, Worlds } from './question.ts'
import { openScenarioGrounds } from './scenario-grounds.ts'
import { type Place, type TapeGround, tapeGround } from './tape-ground.ts'

/** Searches for the front and writes it to the results folder, as JSON and as a page. Null = stopped by the signal. */
export async function searchFront(
  place: Place,
  question: Question,
  observe: SearchOrder['observe'],
): Promise<Result<Front | null, string>> {
  const { options, config } = place
  const { tapes, worlds, ...asked } = question
  const { population, generations, out } = options
  const seed = seedOf(options, config)
  const scenarios = openScenarioGrounds(place, worlds)
  if (!scenarios.ok) return scenarios
  // Without a tape there is nothing to backtest.
  const pool = tapes.length === 0 ? null : sweepPool(options)
  const isAlone = tapes.length === 1 && worlds.scenarios.length === 0
  try {
    const onTapes = tapes.map((tape, i) => tapeGround(place, tape, i, { pool, isAlone }))
    const grounds = [...onTapes.map(({ ground }) => ground), ...scenarios.value.grounds]
    const ended = await runSearch({
      ...asked,
      grounds,
      present: genomeOf(asked.axes, (path) => valueAt(config, path)),
      population,
      generations,
      seed,
      validate: await validatorOf(options.config),
      observe,
    })
    if (!ended.ok || ended.value.kind === 'left') return ended.ok ? ok(null) : ended
    const reported = await writeSweeps(onTapes, ended.value)
    if (!reported.ok) return reported
    const names = grounds.map(({ name }) => name)
    const settings = { ...asked, ...worldsIn(worlds), grounds: names, seed, population, generations }
    const front = frontOf(ended.value, settings)
    writeWhole(join(out, 'front.json'), `${JSON.stringify(front, null, 1)}\n`)
    writeWhole(join(out, 'front.html'), frontPage(front, resolve(options.config)))
    return ok(front)
  } finally {
    await pool?.close()
    await scenarios.value.close()
  }
}

function worldsIn({ scenarios, seeds, days, feedTauBps }: Worlds): Pick<Front, 'worlds'> {
  if (scenarios.length === 0) return {}
  return { worlds: { scenarios: scenarios.map(({ name }) => name), seeds, days, feedTauBps } }
}

/** Returns the check of a generation; its variants would not compare with earlier ones of another configuration or code. */
async function validatorOf(file: string): Promise<SearchOrder['validate']> {
  const [before] = await checkEach(file, numberVariants([]))
  return async (variants) => {
    const [now, ...checked] = await checkEach(file, numberVariants(variants))
    if (JSON.stringify(now) !== JSON.stringify(before)) return err(CHANGED)
    return ok(checked.map((one) => (one.ok ? one : err(one.error.join('; ')))))
  }
}

async function writeSweeps(
  grounds: readonly TapeGround[],
  { points }: SearchResult,
): Promise<Result<null, string>> {
  for (const { report } of grounds) {
    const written = await report(points.slice(1).map(({ changes }) => changes))
    if (!written.ok) return written
  }
  return ok(null)
}

/** Returns the configured value at a path of the space; undefined if unknown. */
function valueAt({ strategy, core }: LoadedConfig, path: string): unknown {
  const keys = path.split('.')
  const start: unknown =
    keys[0] === 'strategy' ? { strategy: { use: strategy.use, params: strategy.params } } : core
  return keys.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    start,
  )
}
