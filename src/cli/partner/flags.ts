import { type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { parseDecimalText } from '../../base/money/decimal-text.ts'
import { DOLLAR_DECIMALS } from '../../treasury/api/kit/read-answer.ts'
import type { ParamKind } from '../../treasury/api/kit/endpoint.ts'

/** A parameter of an endpoint as an option: `endUser.reference` is `--end-user-reference`. */
type Flag = {
  /** Its place in the parameters. */
  readonly path: readonly string[]
  readonly name: string
  readonly kind: ParamKind | 'text' | 'choice'
  readonly choices: readonly string[]
  readonly description: string
  readonly isRequired: boolean
}

/** Returns the options of an endpoint, in the order of its parameters. The key in a body comes from `--key`. */
export function flagsOf(
  params: z.ZodObject,
  path: readonly string[] = [],
  isRequired = true,
): readonly Flag[] {
  return Object.entries(params.shape as Readonly<Record<string, z.ZodType>>).flatMap(([field, schema]) => {
    if (field === 'idempotencyKey') return []
    const isOptional = schema instanceof z.ZodOptional
    const inner = isOptional ? (schema.unwrap() as z.ZodType) : schema
    const here = [...path, field]
    const needed = isRequired && !isOptional
    if (inner instanceof z.ZodObject) return flagsOf(inner, here, needed)
    const { kind, description = '' } = (inner.meta() ?? {}) as { kind?: ParamKind; description?: string }
    const choices = inner instanceof z.ZodEnum ? inner.options.map(String) : []
    const name = here.map(kebab).join('-')
    return [
      {
        path: here,
        name,
        kind: kind ?? (choices.length > 0 ? 'choice' : 'text'),
        choices,
        description,
        isRequired: needed,
      },
    ]
  })
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

const PLACEHOLDER: Readonly<Record<Flag['kind'], string>> = {
  shillings: ' <tzs>',
  dollars: ' <amount>',
  flag: '',
  count: ' <n>',
  json: ' <json>',
  text: ' <text>',
  choice: ' <word>',
}

export function addFlags(command: Command, flags: readonly Flag[]): void {
  for (const flag of flags) {
    const option = new Option(`--${flag.name}${PLACEHOLDER[flag.kind]}`, flag.description)
    if (flag.kind === 'choice') option.choices(flag.choices)
    else if (flag.kind !== 'flag') option.argParser((text: string) => readFlag(flag.kind, text))
    command.addOption(option.makeOptionMandatory(flag.isRequired))
  }
}

/** Returns the parameters of the given options; options that are not given are absent. */
export function paramsOf(
  flags: readonly Flag[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  for (const { path, name } of flags) {
    const value = options[name.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase())]
    if (value === undefined) continue
    const [last = '', ...outer] = path.toReversed()
    const owner = outer.toReversed().reduce<Record<string, unknown>>((fields, field) => {
      return (fields[field] ??= {}) as Record<string, unknown>
    }, params)
    owner[last] = value
  }
  return params
}

/** Parses an option's text as its parameter. Throws InvalidArgumentError with the expected form. */
function readFlag(kind: Flag['kind'], text: string): unknown {
  switch (kind) {
    case 'shillings':
      if (/^\d{1,30}$/.test(text)) return BigInt(text)
      throw new InvalidArgumentError('Expected whole shillings, digits only.')
    case 'dollars': {
      const units = parseDecimalText(text, DOLLAR_DECIMALS)
      if (units.ok && units.value > 0n) return units.value
      throw new InvalidArgumentError(`Expected a positive number with up to ${DOLLAR_DECIMALS} decimals.`)
    }
    case 'count':
      if (/^\d{1,9}$/.test(text)) return Number(text)
      throw new InvalidArgumentError('Expected a whole number.')
    case 'json':
      return readJson(text)
    case 'flag':
    case 'choice':
    case 'text':
      return text
  }
}

function readJson(text: string): unknown {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch {
    throw new InvalidArgumentError('Expected a JSON object like {"week":"47"}.')
  }
}
