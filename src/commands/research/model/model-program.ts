import { Command } from 'commander'
import { z } from 'zod'
import { EXIT_CODE } from '../../exit-code.ts'
import { COMMAND_OPTIONS } from '../../options.ts'
import { alignColumns } from '../../output/tables.ts'
import { answerModel, type AnswerOptions } from './answer.ts'
import type { Door } from './door.ts'
import { DOORS, listModels } from './doors.ts'
import { writeJson } from '../../output/print.ts'

/** The command line of the models: one command for each. */
export function modelProgram(): Command {
  const program = new Command('mizani model')
    .description('compute one model of market making from its parameters: spreads, losses, statistics')
    .option(...COMMAND_OPTIONS.json)
    .showHelpAfterError('(mizani model lists every model)')
    .addHelpText('after', '\nExit codes: 0 done, 1 no finite answer, 2 wrong parameters.')
  for (const door of DOORS) {
    program
      .command(door.name)
      .description(door.summary)
      .requiredOption('--params <json>', 'the parameters: JSON, @FILE, or - for standard input')
      .option(...COMMAND_OPTIONS.json)
      .addHelpText('after', `\n${doorHelp(door).join('\n')}`)
      .action((_own: AnswerOptions, command: Command) => answerModel(door, command.optsWithGlobals()))
  }
  return program
}

/** Runs the words after `mizani model`; an error of the words ends the process like every other command's. */
export async function runModel(words: readonly string[], asJson: boolean): Promise<void> {
  if (words.every((word) => word === '--json')) return listModels({ json: asJson })
  const program = modelProgram()
  for (const command of [program, ...program.commands]) {
    command.exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT_CODE.ok : EXIT_CODE.usage))
    if (asJson)
      command.configureOutput({
        outputError: (text) => {
          const error = text.trim().replace(/^error: /, '')
          writeJson({ error, exitCode: EXIT_CODE.usage })
        },
      })
  }
  await program.parseAsync(words, { from: 'user' })
}

function doorHelp(door: Door): readonly string[] {
  return [
    'Parameters:',
    ...alignColumns(
      parameterRows(door).map(({ name, type, meaning }) => [`  ${name}`, type, meaning]),
      () => true,
    ),
    ...answerHelp(door),
    `Source: ${door.source}`,
    'Example:',
    `  $ npm run -s mizani -- model ${door.name} --params '${door.example}'`,
  ]
}

function answerHelp({ figures }: Door): readonly string[] {
  const rows = Object.entries(figures).map(([path, meaning]) => [`  ${path}`, meaning])
  return ['Answers:', ...alignColumns(rows, () => true)]
}

type ParameterRow = { readonly name: string; readonly type: string; readonly meaning: string }

/** Every parameter of a model, those of inner records with a dot: type with its range, meaning with unit and default. */
export function parameterRows(door: Door): readonly ParameterRow[] {
  return rowsOf(z.toJSONSchema(door.params, { io: 'input' }) as Schema, '')
}

type Schema = {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | false
  readonly required?: readonly string[]
  readonly items?: Schema
}

function rowsOf({ properties = {}, required = [] }: Schema, path: string): readonly ParameterRow[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${path}${key}`
    const fallback =
      schema.default !== undefined
        ? `; default ${JSON.stringify(schema.default)}`
        : required.includes(key)
          ? ''
          : '; optional'
    const row = { name, type: typeOf(schema), meaning: `${schema.description ?? ''}${fallback}` }
    const inner =
      schema.items?.properties === undefined ? rowsOf(schema, `${name}.`) : rowsOf(schema.items, `${name}[].`)
    return [row, ...inner]
  })
}

function typeOf({
  type,
  enum: choices,
  items,
  minimum,
  maximum,
  exclusiveMinimum,
  additionalProperties,
}: Schema): string {
  if (choices !== undefined) return choices.map(String).join(' | ')
  if (type === 'array') return `list of ${typeOf(items ?? {})}`
  if (type === 'object')
    return additionalProperties === false || additionalProperties === undefined
      ? 'record'
      : `name: ${typeOf(additionalProperties)}`
  const least = exclusiveMinimum === undefined ? limitText(minimum) : `above ${limitText(exclusiveMinimum)}`
  const range = least === undefined || maximum === undefined ? '' : ` ${least} .. ${limitText(maximum)}`
  return `${type ?? 'any'}${range}`
}

/** Round limits as people write them: 1e12 rather than twelve zeros to count. */
function limitText(limit: number | undefined): string | undefined {
  if (limit === undefined) return undefined
  const short = limit.toExponential().replace('e+', 'e')
  return Math.abs(limit) >= 1e6 && short.length < 6 ? short : String(limit)
}
