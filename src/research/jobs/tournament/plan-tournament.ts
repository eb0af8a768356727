import { resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { readScenarios, readYamlFile, shippedConfig } from '../read-scenarios.ts'
import { createStrategyProber, TRIAL_MS } from '../../../daemon/config/strategy/probe-strategy.ts'
import { prepareScenario } from '../../scenarios/draw/world.ts'
import { version } from '../../../base/text/version.ts'
import { workerUrl } from '../../../base/threads/first-message.ts'
import {
  entrantProblemOf,
  type TournamentFile,
  tournamentSchema,
  variantsOf,
} from '../../tournament/entrant.ts'
import type { TournamentPlan } from '../../tournament/plan.ts'
import { problemsText, strategyPlaces } from './participants.ts'

/** The worker file of a tournament. */
export const TOURNAMENT_WORKER = workerUrl(import.meta.url, './tournament-worker')

/** Options that replace settings of the tournament's file. */
export type TournamentRequest = {
  readonly config?: string
  readonly strategies?: readonly string[]
  readonly scenarios?: readonly string[]
  readonly seeds?: number
  readonly days?: number
  readonly firstSeed?: number
  readonly trainingSeeds?: number
}

/** Returns the plan of a tournament after trying every variant once. The error names what to change. */
export async function planTournament(request: TournamentRequest): Promise<Result<TournamentPlan, string>> {
  const configFile = request.config ?? shippedConfig('tournament.yaml')
  const read = readYamlFile(configFile, tournamentSchema)
  if (!read.ok) return read
  const file = withOptions(read.value, request)
  return file.ok ? planOf(file.value, configFile) : file
}

/** Applies the options of the command line to the file. */
function withOptions(file: TournamentFile, options: TournamentRequest): Result<TournamentFile, string> {
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

/** Resolves a command-line path against the working directory; paths in the file are relative to the file. */
function fromHere(name: string): string {
  return /[/\\]|\.[a-z]+$/.test(name) ? resolve(name) : name
}

/** Returns a path without folders and extension. */
function nameOf(use: string): string {
  return use.replace(/^.*[/\\]/, '').replace(/\.(ts|js|mjs)$/, '')
}

/**
 * Tries every variant once in a separate thread, so that looping or throwing code and invalid parameters are reported before
 * the tournament starts.
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
