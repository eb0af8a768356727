import { basename, dirname, extname, parse, resolve } from 'node:path'
import type { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import {
  adverseMarkets,
  BASE,
  isOwnFile,
  readScenario,
  readScenarios,
  readYamlFile,
  shippedConfig,
} from '../read-scenarios.ts'
import { createStrategyProber, TRIAL_MS } from '../../../daemon/config/strategy/probe-strategy.ts'
import { type Scenario, SCENARIO_NAMES } from '../../scenarios/scenario.ts'
import { prepareScenario } from '../../scenarios/draw/world.ts'
import { version } from '../../../base/text/version.ts'
import { workerUrl } from '../../../base/threads/first-message.ts'
import {
  type Entrant,
  entrantProblemsOf,
  entrantSchema,
  type EntrantVariant,
  type TournamentFile,
  tournamentSchema,
  variantsOf,
} from '../../tournament/entrant.ts'
import { regretProblems } from '../../tournament/regret/play-regret.ts'
import { finalSeeds, firstFinalSeed } from './final-seeds.ts'
import { ablate } from '../../tournament/ablation.ts'
import type { TournamentPlan } from '../../tournament/plan.ts'
import { describeIssues } from '../../../daemon/config/source/describe-issues.ts'
import { didYouMean } from '../../../daemon/config/source/nearest-name.ts'
import { type Finding, pathText } from '../../../daemon/config/source/problem.ts'
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
  /** Compares with baselines in the shipped adverse markets, or in `scenarios`. */
  readonly adverse?: 'all' | 'development'
  /** Takes test seeds from this commit; true = the last one that changes code. */
  readonly final?: string | true
  /** Plays this strategy of the file alone, against itself without each of its ingredients. */
  readonly ablate?: string
  /** Only these ingredients; default all. */
  readonly without?: readonly string[]
}

const OPTIONS = tournamentSchema
  .pick({ seeds: true, days: true, firstSeed: true, trainingSeeds: true })
  .partial()

/** Returns the plan of a tournament after trying every variant once. The error lists everything to change, a line each. */
export async function planTournament(request: TournamentRequest): Promise<Result<TournamentPlan, string>> {
  const configFile = request.config ?? shippedConfig('tournament.yaml')
  const { seeds, days, firstSeed, trainingSeeds } = request
  const numbers = Object.entries({ seeds, days, firstSeed, trainingSeeds })
  const given = Object.fromEntries(numbers.filter(([, value]) => value !== undefined))
  const options = OPTIONS.safeParse(given)
  const problems = options.success ? [] : describeIssues(options.error.issues, OPTIONS, given).map(optionText)
  const read = readYamlFile(configFile, tournamentSchema, 'a list of strategies')
  if (!read.ok) return err([...problems, read.error].join('\n'))
  const ablated = ablate(read.value, request)
  problems.push(...ablated.problems)
  const { ablation } = ablated
  const { adverse } = request
  const final = request.final === undefined ? ok(undefined) : finalSeeds(request.final)
  if (!final.ok) return err([...problems, final.error].join('\n'))
  if (final.value !== undefined) given.firstSeed = firstFinalSeed(final.value.commit)
  if (adverse !== undefined && request.ablate !== undefined)
    problems.push('--adverse and --ablate exclude each other')
  if (final.value !== undefined && firstSeed !== undefined)
    problems.push('--final and --first-seed exclude each other')
  if (request.strategies?.some((name) => nameOf(name) === '') === true)
    return err([...problems, '--strategies: the name or path of a strategy was expected'].join('\n'))
  const file = withOptions(ablated.file, request, options.success ? given : {})
  const { strategies } = file
  problems.push(...unknownBaselines(read.value, strategies))
  if (adverse !== undefined) problems.push(...regretProblems(file))
  const twice = strategies.find(({ name }, index) => strategies.findIndex((one) => one.name === name) < index)
  if (twice !== undefined) problems.push(`--strategies names ${twice.name} twice`)
  const wanted = scenariosOf(file, request)
  const scenarios = readScenarios(wanted, configFile, file.days)
  const entrants = await tryEntrants(strategies, configFile)
  const paths = wanted.filter((name) => extname(name) !== '')
  const files = paths.map((name) => resolve(dirname(configFile), name)).filter(isOwnFile)
  if (!scenarios.ok) problems.push(scenarios.error)
  else if (entrants.problems.length === 0)
    problems.push(...unknownStated(scenarios.value, files, entrants.params))
  problems.push(
    ...entrantProblemsOf(file, adverse && Math.max(file.seeds, file.mostSeeds)),
    ...entrants.problems,
  )
  if (!scenarios.ok || problems.length > 0) return err(problems.join('\n'))
  const played = scenarios.value.filter(({ development = false }) => adverse !== 'development' || development)
  const base = adverse === undefined ? null : readScenario(BASE)
  if (base?.ok === false) return base
  const own = [resolve(configFile), ...files, ...entrants.sources].filter(isOwnFile)
  const names = own.map((path) => basename(path)).join(', ')
  if (names !== '') final.value?.caveats.push(`the seeds do not depend on your ${names}`)
  return ok({
    file,
    product: version,
    configFile,
    scenarios: played.map((scenario) => prepareScenario(scenario, file.days)),
    entrants: entrants.tried,
    ...(ablation === null ? {} : { ablation }),
    ...(base !== null && { base: prepareScenario(base.value, file.days) }),
    ...(final.value !== undefined && { final: final.value }),
  })
}

/** Returns a problem for each name that is unknown. */
function unknownNames(where: string, names: readonly string[], known: Iterable<string>): readonly string[] {
  const all = new Set(known)
  return names
    .filter((name) => !all.has(name))
    .map((name) => `${where} ${name}${didYouMean(name, all)}; expected one of ${[...all].join(', ')}`)
}

/** Returns a problem for each baseline, and for the reference, that neither the file nor the selection has. */
function unknownBaselines({ baselines, reference, strategies }: TournamentFile, played: readonly Entrant[]) {
  const names = [...strategies, ...played].map(({ name }) => name)
  const asked = reference === null ? baselines : [...baselines, reference]
  return unknownNames('baselines and reference: no strategy is called', asked, names)
}

/** Returns a problem for each parameter that a scenario of these files states and no played strategy has. */
function unknownStated(scenarios: readonly Scenario[], files: readonly string[], params: Iterable<string>) {
  const own = new Set(files.map((file) => parse(file).name))
  return scenarios
    .filter(({ name }) => own.has(name))
    .flatMap(({ name, stated }) =>
      unknownNames(`${name}: stated.params: no strategy has`, Object.keys(stated.params), params),
    )
}

/** Returns the scenarios of the command line, the adverse ones if asked for, or those of the file. */
function scenariosOf({ scenarios }: TournamentFile, request: TournamentRequest): readonly string[] {
  if (request.adverse !== undefined && request.scenarios === undefined) return adverseMarkets()
  return scenarios === 'all' || scenarios.join() === 'all' ? SCENARIO_NAMES : scenarios
}

/** Returns a problem of an option, such as `--training-seeds: too small; expected at least 2`. */
function optionText({ path, message }: Finding): string {
  return `--${pathText(path).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${message}`
}

/** Applies the options of the command line to the file. */
function withOptions(
  file: TournamentFile,
  options: TournamentRequest,
  numbers: z.output<typeof OPTIONS>,
): TournamentFile {
  const chosen =
    (options.ablate === undefined ? options.strategies : undefined) ?? file.strategies.map(({ name }) => name)
  const strategies = chosen.map(
    (name) =>
      file.strategies.find((one) => one.name === name) ??
      entrantSchema.parse({ name: nameOf(name), use: fromHere(name) }),
  )
  return {
    ...file,
    ...numbers,
    strategies,
    baselines: file.baselines.filter((name) => strategies.some((one) => one.name === name)),
    scenarios: options.scenarios === undefined ? file.scenarios : options.scenarios.map(fromHere),
  }
}

/** Resolves a command-line path against the working directory; paths in the file are relative to the file. */
function fromHere(name: string): string {
  return /[/\\]|\.[a-z]+$/.test(name) ? resolve(name) : name
}

/** Returns a path without folders and extension, as the schema takes a name. */
function nameOf(use: string): string {
  const name = use.replace(/^.*[/\\]/, '').replace(/\.(ts|js|mjs)$/, '')
  return name.replaceAll(/[^\w.@+-]/g, '-').slice(0, 40)
}

/**
 * Tries every variant once in a separate thread, so that looping or throwing code and invalid parameters are reported before
 * the tournament starts. The remaining variants of a strategy that cannot run are not tried.
 */
async function tryEntrants(strategies: TournamentFile['strategies'], configFile: string) {
  const prober = createStrategyProber(TRIAL_MS)
  const tried: TournamentPlan['entrants'][number][] = []
  const [sources, params] = [new Set<string>(), new Set<string>()]
  const problems: string[] = []
  /** Returns the hash of the strategy's source, or null after the first problem that no parameter causes. */
  async function tryVariants(name: string, variants: readonly EntrantVariant[]): Promise<string | null> {
    let sourceHash = ''
    const seen = new Set<string>()
    for (const { use, params: own, exact, label } of variants)
      for (const asked of exact === undefined ? [own] : [own, exact]) {
        const one = await prober.probe({ use, params: asked }, strategyPlaces(configFile), true)
        if (one.ok) {
          sourceHash = one.value.strategy.sourceHash
          for (const source of one.value.sources) sources.add(source)
          for (const key of Object.keys(Object(one.value.strategy.params) as object)) params.add(key)
          continue
        }
        const text = problemsText(one.error)
        const where = `${label === '' ? name : `${name} (${label})`}${asked === exact ? ', exact' : ''}`
        if (!seen.has(text)) problems.push(`${where}: ${text}`)
        seen.add(text)
        if (one.error.some(({ path }) => path[0] !== 'params')) return null
      }
    return sourceHash
  }
  try {
    for (const entrant of strategies) {
      const variants = variantsOf(entrant)
      if (!variants.ok) {
        problems.push(variants.error)
        continue
      }
      const sourceHash = await tryVariants(entrant.name, variants.value)
      if (sourceHash !== null) tried.push({ name: entrant.name, sourceHash, variants: variants.value })
    }
  } finally {
    await prober.close()
  }
  return { tried, problems, sources, params }
}
