import { readFileSync, statSync } from 'node:fs'
import type { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { fieldReading } from '../schema/field.ts'
import { fleetSection } from '../schema/fleet.ts'
import { configSchema } from '../schema/schema.ts'
import { ProblemLocator, type YamlTree } from '../source/locate-problem.ts'
import type { ConfigProblem, PathStep } from '../source/problem.ts'
import { type KeyRules, readYaml } from '../source/read-yaml.ts'

/** The text of a configuration file, its contents, and how to locate a problem in it. */
export type ConfigText = {
  readonly file: string
  readonly text: string
  readonly tree: YamlTree
  readonly locator: ProblemLocator
}

const MAX_BYTES = 1_000_000

type ReadText = Result<ConfigText, readonly ConfigProblem[]>

/** The text that was parsed last: the variants of a sweep are changes to one file. */
let last: { readonly file: string; readonly text: string; readonly read: ReadText } | null = null

/** Parses a file as YAML. `known` is its text if already read; `wanted` what a file that is no configuration has. Never throws. */
export function readConfigText(file: string, known?: string, wanted?: string): ReadText {
  const read = known === undefined ? readTextFile(file, wanted && `file with ${wanted}`) : ok(known)
  if (!read.ok) return err([{ file, line: 1, column: 1, path: '(file)', message: read.error, excerpt: null }])
  if (wanted !== undefined) return parseText(file, read.value, { ...KEY_RULES, wanted })
  if (last?.file !== file || last.text !== read.value)
    last = { file, text: read.value, read: parseText(file, read.value, KEY_RULES) }
  return last.read
}

function parseText(file: string, text: string, rules: KeyRules): ReadText {
  const { tree, lines, hidden } = readYaml(text, rules)
  const locator = new ProblemLocator(file, text, lines, hidden)
  return tree.ok
    ? ok({ file, text, tree: tree.value, locator })
    : err(tree.error.map((problem) => locator.at(problem)))
}

/** Returns the readable part of a file, even if the rest is invalid. Never throws. */
export function readConfigRemains(file: string): Readonly<Record<string, unknown>> {
  const read = readTextFile(file)
  return read.ok ? readYaml(read.value, KEY_RULES).data : {}
}

/** Returns the text of a file, or of a descriptor, without a byte order mark, or why it cannot be read. */
export function readTextFile(
  file: string | number,
  kind = 'configuration file',
  maxBytes = MAX_BYTES,
): Result<string, string> {
  try {
    const size = typeof file === 'number' ? 0 : statSync(file).size
    if (size > maxBytes) return err(`${size} bytes; a ${kind} may have at most ${maxBytes} bytes`)
    const bytes = readFileSync(file)
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? 'unreadable'
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return err('not UTF-8 text; save the file as UTF-8')
    if (code === 'ENOENT') return err(`there is no such file; give the path of a ${kind}`)
    if (code === 'EISDIR') return err(`this is a folder; give the path of a ${kind}`)
    return err(`cannot be read (${code}); give the path of a readable ${kind}`)
  }
}

/** Returns how the schema marks the fields at a path; several for a union. */
function readingsAt(schema: z.core.$ZodType, path: readonly PathStep[]): readonly string[] {
  const reading = path.length === 0 ? fieldReading.get(schema) : undefined
  if (reading !== undefined) return [reading.as]
  const { def } = (schema as z.core.$ZodTypes)._zod
  const [step, ...rest] = path
  if ('innerType' in def) return readingsAt(def.innerType, path)
  if (def.type === 'pipe') return readingsAt(def.in, path)
  if (def.type === 'union') return def.options.flatMap((option) => readingsAt(option, path))
  if (def.type === 'array') return typeof step === 'number' ? readingsAt(def.element, rest) : []
  if (def.type === 'record') return step === undefined ? [] : readingsAt(def.valueType, rest)
  if (def.type !== 'object' || step === undefined || !Object.hasOwn(def.shape, step)) return []
  return readingsAt(def.shape[step]!, rest)
}

const fileSchema = configSchema.safeExtend({ fleet: fleetSection })

function isReadAs(as: string): (path: readonly PathStep[]) => boolean {
  return (path) => readingsAt(fileSchema, path).includes(as)
}

/** The rules of a configuration's keys, as the schema marks its fields. */
export const KEY_RULES: KeyRules = {
  isSecret: isReadAs('secret'),
  mayBeSecret: isReadAs('possible secret'),
  isMoney: isReadAs('money'),
}
