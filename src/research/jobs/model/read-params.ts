import type { z } from 'zod'
import { readFileSync, statSync } from 'node:fs'
import { err, ok, type Result } from '../../../base/result.ts'
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
  const text = file === null ? ok(given) : readText(file)
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

function readText(file: string | typeof STDIN): Result<string, string> {
  try {
    const size = file === STDIN ? 0 : statSync(file).size
    if (size > MAX_BYTES) return err(`${size} bytes; expected at most ${MAX_BYTES} bytes`)
    const bytes = readFileSync(file)
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? 'unreadable'
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return err('not UTF-8 text; save it as UTF-8')
    if (code === 'ENOENT') return err('there is no such file; use @ followed by the path of a JSON file')
    return err(`cannot be read (${code}); use @ followed by the path of a readable JSON file`)
  }
}

function wholeProblem(file: string, message: string): ConfigProblem {
  return named({ file, line: 1, column: 1, path: '(file)', message, excerpt: null })
}

/** A problem with the parameters as a whole has no file. */
function named(problem: ConfigProblem): ConfigProblem {
  return problem.path === '(file)' ? { ...problem, path: '(params)' } : problem
}
