import { basename, dirname, extname, resolve } from 'node:path'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { readConfigText } from '../../../config/source/config-text.ts'
import { describeIssues } from '../../../config/source/describe-issues.ts'
import { placeProblem } from '../../../config/source/merge-data.ts'
import { nearestName } from '../../../config/source/nearest-name.ts'
import { formatProblem } from '../../../config/source/problem.ts'
import {
  changedScenario,
  type Scenario,
  scenarioChangesSchema,
  scenarioSchema,
} from '../../../scenarios/scenario.ts'
import { type TournamentFile, tournamentSchema } from '../../../tournament/entrant.ts'

/** Beside the sources, or beside the bundle. */
const SHIPPED = import.meta.url.endsWith('.ts') ? '../../../../config' : './config'
const BASE = 'normal'

/** The absolute path of a shipped file of config/. */
export function shippedConfig(name: string): string {
  return fileURLToPath(new URL(`${SHIPPED}/${name}`, import.meta.url))
}

/** The shipped scenarios, the base first. */
export function scenarioNames(): readonly string[] {
  const names = readdirSync(shippedConfig('scenarios'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'))
  return [BASE, ...names.filter((name) => name !== BASE).sort()]
}

/** Reads the file of a tournament. The error has every problem with its place. */
export function readTournament(file: string): Result<TournamentFile, string> {
  return readYamlFile(file, tournamentSchema)
}

/** Reads scenarios by name, or by the path of a file that lists what differs from `normal`. */
export function readScenarios(
  wanted: 'all' | readonly string[],
  configFile: string,
): Result<readonly Scenario[], string> {
  const base = readYamlFile(shippedConfig(`scenarios/${BASE}.yaml`), scenarioSchema.omit({ name: true }))
  if (!base.ok) return base
  const normal = { name: BASE, ...base.value }
  const scenarios: Scenario[] = []
  for (const name of wanted === 'all' ? scenarioNames() : wanted) {
    const scenario = name === BASE ? ok(normal) : readScenario(name, normal, configFile)
    if (!scenario.ok) return scenario
    if (scenarios.some((one) => one.name === scenario.value.name))
      return err(`scenarios: ${scenario.value.name} is named twice`)
    scenarios.push(scenario.value)
  }
  return ok(scenarios)
}

function readScenario(name: string, base: Scenario, configFile: string): Result<Scenario, string> {
  const isPath = extname(name) !== ''
  const file = isPath ? resolve(dirname(resolve(configFile)), name) : shippedConfig(`scenarios/${name}.yaml`)
  if (!isPath && !existsSync(file)) {
    const names = scenarioNames()
    const nearest = nearestName(name, names)
    const mean = nearest === null ? '' : `; did you mean ${nearest}?`
    return err(
      `scenarios: there is no ${name}${mean}; there are ${names.join(', ')}, or the path of a .yaml file`,
    )
  }
  const called = basename(file, extname(file))
  if (!/^[a-z][a-z0-9-]*$/.test(called))
    return err(`scenarios: ${file} names its scenario; a file called like this-one.yaml would be right`)
  const changes = readYamlFile(file, scenarioChangesSchema)
  return changes.ok ? ok(changedScenario(called, base, changes.value)) : changes
}

function readYamlFile<Value>(file: string, schema: z.ZodType<Value>): Result<Value, string> {
  const text = readConfigText(file)
  if (!text.ok) return err(text.error.map(formatProblem).join('\n'))
  const { data } = text.value.tree
  const parsed = schema.safeParse(data)
  if (parsed.success) return ok(parsed.data)
  const problems = describeIssues(parsed.error.issues, schema, data)
  return err(problems.map((problem) => formatProblem(placeProblem([text.value], problem))).join('\n'))
}
