import { readFileSync, statSync } from 'node:fs'
import { err, ok, type Result } from '../../../base/result.ts'
import { ProblemLocator, type YamlTree } from './locate-problem.ts'
import type { ConfigProblem, PathStep } from './problem.ts'
import { type KeyRules, readYaml } from './read-yaml.ts'

/** The text of a configuration file, its contents, and how to locate a problem in it. */
export type ConfigText = {
  readonly file: string
  readonly text: string
  readonly tree: YamlTree
  readonly locator: ProblemLocator
}

const MAX_BYTES = 1_000_000

/** Parses a file as YAML. `known` is its text if already read. Never throws. */
export function readConfigText(file: string, known?: string): Result<ConfigText, readonly ConfigProblem[]> {
  const read = known === undefined ? readConfigFile(file) : ok(known)
  if (!read.ok) return err([{ file, line: 1, column: 1, path: '(file)', message: read.error, excerpt: null }])
  const text = read.value
  const { tree, lines, hidden } = readYaml(text, KEY_RULES)
  const locator = new ProblemLocator(file, text, lines, hidden)
  return tree.ok
    ? ok({ file, text, tree: tree.value, locator })
    : err(tree.error.map((problem) => locator.at(problem)))
}

/** Returns the readable part of a file, even if the rest is invalid. Never throws. */
export function readConfigRemains(file: string): Readonly<Record<string, unknown>> {
  const read = readConfigFile(file)
  return read.ok ? readYaml(read.value, KEY_RULES).data : {}
}

/** Returns the text of a configuration file without a byte order mark, or why it cannot be read. */
function readConfigFile(file: string): Result<string, string> {
  try {
    const size = statSync(file).size
    if (size > MAX_BYTES)
      return err(`${size} bytes; a configuration file may have at most ${MAX_BYTES} bytes`)
    const bytes = readFileSync(file)
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? 'unreadable'
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return err('not UTF-8 text; save the file as UTF-8')
    if (code === 'ENOENT') return err('there is no such file; give the path of a configuration file')
    if (code === 'EISDIR') return err('this is a folder; give the path of a configuration file')
    return err(`cannot be read (${code}); give the path of a readable configuration file`)
  }
}

const SECRETS =
  /^(venue\.apiKey|http\.(token|readToken|tokens\.\d+\.token)|guard\.(token|heartbeatUrl)|rfq\.signer\.(password|envKey)|notify\.(telegram\.botToken|slack\.webhookUrl|webhook\.(url|hmacKey))|alert\.(heartbeatUrl|escalation\.\d+\.(telegram\.botToken|slack\.webhookUrl|webhook\.(url|hmacKey)))|treasury\.(partner\.apiKey|webhooks\.secrets\.\d+)|feeds\.\d+\.http\.headers\.[^/]+)$/
const MAYBE_SECRETS = /^(rfq\.rpc\.urls\.\d+|chain\.urls\.\d+|feeds\.\d+\.http\.url|store\.postgres)$/
const MONEY =
  /^(risk\.(maxLossTzs|maxDrawdownTzs|maxVolumePerDayUsd|reviewAfter\.usd|priceCorridor\.(min|max))|risk\.dust\.[^/]+|inventory\.limits\.[^/]+\.(min|max)|drills\.maxCostUsd|withdraw\.(maxPerDay\.[^/]+|approvalAboveUsd)|rfq\.(approve\.[^/]+|max(Order|Outstanding)Usd|maxAtRiskUsdPer(Hour|Day))|backtest\.opening\.[^/]+|feeds\.\d+\.(band\.(min|max)|fixed\.mid)|treasury\.(policy\.(bands\.[^/]+\.[^/]+|caps\.\d+\.per(Day|Month)\.[^/]+|smallest\.[^/]+)|approval\.freeRefill\.[^/]+|transferCaps\.per(Transaction|Day))|fleet\.limits\.[^/]+)$/

/** The configuration keys that are or may be secrets, and those whose digits are exact. */
const KEY_RULES: KeyRules = {
  isSecret: (path: readonly PathStep[]) => SECRETS.test(path.join('.')),
  mayBeSecret: (path: readonly PathStep[]) => MAYBE_SECRETS.test(path.join('.')),
  isMoney: (path: readonly PathStep[]) => MONEY.test(path.join('.')),
}
