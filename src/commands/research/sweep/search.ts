import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'
import { tapeIdentity } from '../../../sweep/results/identity.ts'
import { writeWhole } from '../../../sweep/results/parquet.ts'
import { variantPool } from '../../../sweep/run-sweep.ts'
import { type Front, frontOf } from '../../../sweep/search/front.ts'
import { runSearch, type SearchEnd, type SearchProgress } from '../../../sweep/search/run-search.ts'
import { genomeOf } from '../../../sweep/search/space.ts'
import { numberVariants } from '../../../sweep/variant.ts'
import { EXIT_CODE } from '../../exit-code.ts'
import { HANGS } from '../../apart/hang.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { fail, print } from '../../output/print.ts'
import { sweepProgress } from '../../output/progress.ts'
import { frontPage } from '../../../report/pages/front-page.ts'
import { type Question, readQuestion, type SearchOptions, type Worlds } from './question.ts'
import { renderFront } from './render-front.ts'
import { openScenarioGrounds } from './scenario-grounds.ts'
import { leaveOnSignal } from '../../repeat.ts'
import { joinOther, seedOf } from './sweep.ts'
import { type Place, type TapeGround, tapeGround, WORKER } from './tape-ground.ts'
import { checkEach } from './variants.ts'

/** Looks for the front of several objectives over tapes and simulated markets, and writes it as JSON and as a page. */
export async function search(options: SearchOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { offline: true, strategy: 'try' })
  if (config === null) return
  const asked = readQuestion(options, config)
  if (!asked.ok) return fail(options, EXIT_CODE.usage, asked.error)
  const [tape] = asked.value.tapes
  if (options.join === true && tape !== undefined) return joinOther(options, tape.path)
  const identities: string[] = []
  for (const tape of asked.value.tapes) {
    const identity = await tapeIdentity(tape.path)
    if (!identity.ok) return fail(options, EXIT_CODE.usage, identity.error)
    identities.push(identity.value)
  }
  const progress = sweepProgress(process.stderr, () => performance.now())
  const ended = await leaveOnSignal(async (signal) => {
    const place = { options, config, signal, identities }
    return runOn(place, asked.value, progress.show)
  })
  progress.end()
  if (!ended.ok) return fail(options, EXIT_CODE.failed, ended.error)
  if (ended.value === null)
    return fail(options, EXIT_CODE.failed, 'interrupted; the same command resumes with what is missing', {
      out: options.out,
    })
  print(options, renderFront(ended.value, options.out, asked.value.tapes.length > 0), ended.value)
}

/** Null = left at the signal. */
async function runOn(
  place: Place,
  question: Question,
  observe: (progress: SearchProgress) => void,
): Promise<Result<Front | null, string>> {
  const { options, config } = place
  const { tapes, worlds, ...asked } = question
  const { population, generations, out } = options
  const seed = seedOf(options, config)
  const scenarios = openScenarioGrounds(place, worlds)
  if (!scenarios.ok) return scenarios
  const pool = poolOf(question, options)
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
      validate: async (variants) =>
        (await checkEach(options.config, numberVariants(variants).slice(1))).map((one) => one.ok),
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

/** Without a tape there is nothing to backtest. */
function poolOf({ tapes }: Question, { workers = availableParallelism() }: SearchOptions) {
  return tapes.length === 0 ? null : variantPool({ worker: WORKER, workers, hangs: HANGS })
}

function worldsIn({ scenarios, seeds, days, feedTauBps }: Worlds): Pick<Front, 'worlds'> {
  if (scenarios.length === 0) return {}
  return { worlds: { scenarios: scenarios.map(({ name }) => name), seeds, days, feedTauBps } }
}

async function writeSweeps(
  grounds: readonly TapeGround[],
  { points }: SearchEnd & { readonly kind: 'complete' },
): Promise<Result<null, string>> {
  for (const { report } of grounds) {
    const written = await report(points.slice(1).map(({ changes }) => changes))
    if (!written.ok) return written
  }
  return ok(null)
}

/** What the configuration has at a path of the space; undefined where that is not known. */
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
