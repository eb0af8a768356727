import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { err, ok, type Result } from '../../base/result.ts'
import {
  changedScenario,
  refuseIdle,
  SCENARIO_NAMES,
  type Scenario,
  scenarioChangesSchema,
  scenarioSchema,
} from '../scenarios/scenario.ts'
import { readConfigText } from '../../daemon/config/load/config-text.ts'
import { describeIssues } from '../../daemon/config/source/describe-issues.ts'
import { placeProblem } from '../../daemon/config/source/merge-data.ts'
import { didYouMean } from '../../daemon/config/source/nearest-name.ts'
import { formatProblem } from '../../daemon/config/source/problem.ts'

/** Relative to the sources, or to the bundle. */
const SHIPPED = import.meta.url.endsWith('.ts') ? '../../../config' : './config'
/** The scenario from which the others differ. */
export const BASE = 'normal'
const DIFFERENCES = 'the differences from normal, such as "terms: { feeBps: 10 }"'
const baseSchema = scenarioSchema.omit({ name: true })

/** Returns the absolute path of a bundled file of daemon/config/. */
export function shippedConfig(name: string): string {
  return fileURLToPath(new URL(`${SHIPPED}/${name}`, import.meta.url))
}

/** Returns the paths of the shipped adverse markets. */
export function adverseMarkets(): readonly string[] {
  const folder = shippedConfig('scenarios/adverse')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => join(folder, file))
}

/** Returns whether a file is outside the folders of the product, whose last commit gives the final seeds. */
export function isOwnFile(path: string): boolean {
  return !/^(config|src|strategies)[/\\]/.test(relative(shippedConfig('..'), path))
}

/** Reads scenarios of `days` by name, or by the path of a file with the differences to `normal`; paths are relative to that file. */
export function readScenarios(
  wanted: 'all' | readonly string[],
  configFile: string,
  days = Infinity,
): Result<readonly Scenario[], string> {
  const scenarios: Scenario[] = []
  for (const name of wanted === 'all' ? SCENARIO_NAMES : wanted) {
    const scenario = readScenario(name, dirname(resolve(configFile)), days)
    if (!scenario.ok) return err(`scenarios: ${scenario.error}`)
    if (scenarios.some((one) => one.name === scenario.value.name))
      return err(`scenarios: ${scenario.value.name} is given twice`)
    scenarios.push(scenario.value)
  }
  return ok(scenarios)
}

/** Reads a scenario by name, or by the path of a file with the differences to `normal`. */
export function readScenario(name: string, folder = '.', days = Infinity): Result<Scenario, string> {
  const base = readYamlFile(shippedConfig(`scenarios/${BASE}.yaml`), baseSchema, DIFFERENCES)
  if (!base.ok) return base
  const normal = { name: BASE, ...base.value }
  if (name === BASE) return ok(normal)
  const isPath = extname(name) !== ''
  const shipped = adverseMarkets().find((path) => basename(path, '.yaml') === name)
  const file = isPath ? resolve(folder, name) : (shipped ?? shippedConfig(`scenarios/${name}.yaml`))
  if (!isPath && !existsSync(file))
    return err(
      `unknown scenario ${name}${didYouMean(name, SCENARIO_NAMES)}; expected ${SCENARIO_NAMES.join(', ')}, or the path of a .yaml file`,
    )
  const called = basename(file, extname(file))
  if (!/^[a-z][a-z0-9-]*$/.test(called))
    return err(
      `${file} gives the scenario its name; use lower-case letters, digits and dashes, such as this-one.yaml`,
    )
  // A shipped market may turn after the last day of a trial.
  const refuse = refuseIdle(normal, isOwnFile(file) ? days : Infinity)
  const changes = readYamlFile(file, scenarioChangesSchema.superRefine(refuse), DIFFERENCES)
  return changes.ok ? ok(changedScenario(called, normal, changes.value)) : changes
}

/** Reads a YAML file by its schema, which messages describe as `wanted`. The error lists every problem with its position. */
export function readYamlFile<Value>(
  file: string,
  schema: z.ZodType<Value>,
  wanted: string,
): Result<Value, string> {
  const text = readConfigText(file, undefined, wanted)
  if (!text.ok) return err(text.error.map(formatProblem).join('\n'))
  const { data } = text.value.tree
  const parsed = schema.safeParse(data)
  if (parsed.success) return ok(parsed.data)
  const problems = describeIssues(parsed.error.issues, schema, data)
  return err(problems.map((problem) => formatProblem(placeProblem([text.value], problem))).join('\n'))
}
