import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { readScenarios, readYamlFile, shippedConfig } from '../../../config/scenarios/read-scenarios.ts'
import { SECOND_MS } from '../../../base/time.ts'
import { createStrategyProber } from '../../../config/strategy/probe-strategy.ts'
import { prepareScenario } from '../../../scenarios/draw/world.ts'
import { workerUrl } from '../../../threads/first-message.ts'
import {
  entrantProblemOf,
  type TournamentFile,
  tournamentSchema,
  variantsOf,
} from '../../../tournament/entrant.ts'
import type { TournamentPlan } from '../../../tournament/plan.ts'
import { runTournament, type TournamentEnd } from '../../../tournament/run-tournament.ts'
import { EXIT_CODE } from '../../exit-code.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { workProgress } from '../../output/progress.ts'
import { writeTextAtomically } from '../../output/write-file.ts'
import { version } from '../../version.ts'
import { HANGS } from '../../apart/hang.ts'
import { leaveOnSignal } from '../../repeat.ts'
import { tournamentPage } from '../../../report/pages/tournament-page.ts'
import { problemsText, strategyPlaces } from './participants.ts'
import { renderTournament } from './render.ts'

export type TournamentOptions = OutputFormat & {
  readonly config?: string
  readonly strategies?: readonly string[]
  readonly scenarios?: readonly string[]
  readonly seeds?: number
  readonly days?: number
  readonly firstSeed?: number
  readonly trainingSeeds?: number
  readonly workers?: number
  readonly queue?: string
  readonly leaseSeconds: number
  readonly out: string
}

/** Plays strategies against simulated markets and compares them seed by seed. */
export async function tournament(options: TournamentOptions, hangs = HANGS): Promise<void> {
  if (options.workers === 0 && options.queue === undefined)
    return fail(options, EXIT_CODE.usage, '--workers 0 needs --queue, with workers elsewhere')
  const configFile = options.config ?? shippedConfig('tournament.yaml')
  const read = readYamlFile(configFile, tournamentSchema)
  if (!read.ok) return fail(options, EXIT_CODE.usage, read.error)
  const file = withOptions(read.value, options)
  if (!file.ok) return fail(options, EXIT_CODE.usage, file.error)
  const plan = await planOf(file.value, configFile)
  if (!plan.ok) return fail(options, EXIT_CODE.usage, plan.error)
  const progress = workProgress('plays', process.stderr, () => performance.now())
  const ended = await leaveOnSignal((signal) =>
    runTournament({
      plan: plan.value,
      out: options.out,
      worker: workerUrl(import.meta.url, './tournament-worker'),
      workers: options.workers ?? availableParallelism(),
      hangs,
      queue:
        options.queue === undefined
          ? null
          : { url: options.queue, leaseMs: options.leaseSeconds * SECOND_MS },
      observe: progress.show,
      signal,
    }),
  )
  progress.end()
  if (!ended.ok) return fail(options, EXIT_CODE.failed, ended.error)
  await finish(options, ended.value)
}

async function finish(options: TournamentOptions, end: TournamentEnd): Promise<void> {
  const { out } = options
  if (end.kind === 'left') {
    const { done, total } = end.progress
    const left = `interrupted with ${done} of ${total} plays done; the same command resumes with the others`
    return fail(options, EXIT_CODE.failed, left, { ...end.progress, out })
  }
  const { result } = end
  mkdirSync(out, { recursive: true })
  const files = {
    'result.json': `${JSON.stringify(result, null, 1)}\n`,
    'report.html': tournamentPage(result),
  }
  for (const [name, text] of Object.entries(files)) {
    const written = await writeTextAtomically(join(out, name), text)
    if (!written.ok) return fail(options, EXIT_CODE.failed, written.error)
  }
  print(options, renderTournament(result, out), result)
}

/** What the command line says instead of the file. */
function withOptions(file: TournamentFile, options: TournamentOptions): Result<TournamentFile, string> {
  const chosen = options.strategies ?? file.strategies.map(({ name }) => name)
  const strategies = chosen.map(
    (name) =>
      file.strategies.find((one) => one.name === name) ?? {
        name: nameOf(name),
        use: fromHere(name),
        params: {},
        grid: {},
        feedTauBps: null,
        refills: null,
        calibration: null,
        exact: null,
      },
  )
  const changed: TournamentFile = {
    ...file,
    strategies,
    baselines: file.baselines.filter((name) => chosen.includes(name)),
    scenarios: options.scenarios === undefined ? file.scenarios : options.scenarios.map(fromHere),
    seeds: options.seeds ?? file.seeds,
    days: options.days ?? file.days,
    firstSeed: options.firstSeed ?? file.firstSeed,
    trainingSeeds: options.trainingSeeds ?? file.trainingSeeds,
  }
  const twice = strategies.find(({ name }, index) => strategies.findIndex((one) => one.name === name) < index)
  if (twice !== undefined) return err(`--strategies names ${twice.name} twice`)
  const problem = entrantProblemOf(changed)
  return problem === null ? ok(changed) : err(problem)
}

/** On the command line a path is relative to where one stands, in the file to the folder of the file. */
function fromHere(name: string): string {
  return /[/\\]|\.[a-z]+$/.test(name) ? resolve(name) : name
}

/** A path without its folders and ending. */
function nameOf(use: string): string {
  return use.replace(/^.*[/\\]/, '').replace(/\.(ts|js|mjs)$/, '')
}

/** Most of it is the start of a thread, which a busy machine draws out. */
const TRIAL_MS = 20_000

/**
 * Tries every variant once in a thread of its own, so that code that loops or throws and parameters that do not fit are
 * reported before anything is played.
 */
async function planOf(file: TournamentFile, configFile: string): Promise<Result<TournamentPlan, string>> {
  const named = file.scenarios === 'all' || file.scenarios.join() === 'all' ? 'all' : file.scenarios
  const scenarios = readScenarios(named, configFile)
  if (!scenarios.ok) return scenarios
  const prober = createStrategyProber(TRIAL_MS)
  const entrants: TournamentPlan['entrants'][number][] = []
  try {
    for (const entrant of file.strategies) {
      const variants = variantsOf(entrant)
      if (!variants.ok) return variants
      let sourceHash = ''
      for (const { use, params, exact, label } of variants.value) {
        const name = label === '' ? entrant.name : `${entrant.name} (${label})`
        for (const asked of exact === undefined ? [params] : [params, exact]) {
          const tried = await prober.probe({ use, params: asked }, strategyPlaces(configFile), true)
          if (!tried.ok)
            return err(`${name}${asked === exact ? ', exact' : ''}: ${problemsText(tried.error)}`)
          sourceHash = tried.value.strategy.sourceHash
        }
      }
      entrants.push({ name: entrant.name, sourceHash, variants: variants.value })
    }
  } finally {
    await prober.close()
  }
  const prepared = scenarios.value.map((scenario) => prepareScenario(scenario, file.days))
  return ok({ file, product: version, configFile, scenarios: prepared, entrants })
}
