import type { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { readTextFile } from '../../../daemon/config/load/config-text.ts'
import { describeIssues } from '../../../daemon/config/source/describe-issues.ts'
import { ProblemLocator } from '../../../daemon/config/source/locate-problem.ts'
import { placeProblem } from '../../../daemon/config/source/merge-data.ts'
import type { ConfigProblem } from '../../../daemon/config/source/problem.ts'
import { type KeyRules, readYaml } from '../../../daemon/config/source/read-yaml.ts'

/** The descriptor of standard input. */
const STDIN = 0
const MAX_BYTES = 4_000_000
const MAX_NODES = 100_000
const RULES: KeyRules = {
  isSecret: () => false,
  mayBeSecret: () => false,
  isMoney: () => false,
  wanted: 'a JSON object of parameters',
  maxNodes: MAX_NODES,
}

/** The given parameters, and how to locate a problem in them. */
type ModelParams = {
  readonly data: unknown
  /** Problems with line, column and a caret, for the issues of a schema. */
  readonly explain: (issues: readonly z.core.$ZodIssue[], schema: z.ZodType) => readonly ConfigProblem[]
}

/** Reads `--params`: JSON itself, `@FILE`, or `-` for standard input. JSON is parsed as YAML, which gives positions. */
export function readModelParams(given: string): Result<ModelParams, readonly ConfigProblem[]> {
  const file = given === '-' ? STDIN : given.startsWith('@') ? given.slice(1) : null
  const name = file === STDIN ? '(stdin)' : (file ?? '--params')
  const text = file === null ? ok(given) : readTextFile(file, 'JSON file after @', MAX_BYTES)
  if (!text.ok) return err([wholeProblem(name, text.error)])
  const { tree, lines, hidden } = readYaml(text.value, RULES)
  const locator = new ProblemLocator(name, text.value, lines, hidden)
  if (!tree.ok) return err(tree.error.map((problem) => named(locator.at(problem))))
  const found = tree.value
  return ok({
    data: found.data,
    explain: (issues, schema) =>
      describeIssues(issues, schema, found.data).map((finding) =>
        named(placeProblem([{ tree: found, locator }], finding)),
      ),
  })
}

function wholeProblem(file: string, message: string): ConfigProblem {
  return named({ file, line: 1, column: 1, path: '(file)', message, excerpt: null })
}

/** A problem with the parameters as a whole has no file. */
function named(problem: ConfigProblem): ConfigProblem {
  return problem.path === '(file)' ? { ...problem, path: '(params)' } : problem
}
