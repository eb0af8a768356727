import { CommandLine } from '../../options.ts'
import { alignColumns } from '../../output/tables.ts'
import { answerModel, type AnswerOptions } from './answer.ts'
import type { Door } from '../../../research/jobs/model/door.ts'
import { DOORS } from '../../../research/jobs/model/doors.ts'
import { parameterRows } from '../../../research/jobs/model/parameter-rows.ts'
import { explainErrors, refuseUnknownCommand } from '../../output/explain-errors.ts'
import { type OutputFormat, print } from '../../output/print.ts'

/** The command line of the models: one command for each. */
export function modelProgram(isJson = false): CommandLine {
  const program = explainErrors(new CommandLine('mizani model'), '(mizani model lists every model)', isJson)
    .description('compute one model of market making from its parameters: spreads, losses, statistics')
    .shared('json')
    .more('\nExit codes: 0 done, 1 no finite answer, 2 wrong parameters.')
  for (const door of DOORS) {
    program
      .command(door.name)
      .description(door.summary)
      .requiredOption('--params <json>', 'the parameters: JSON, @FILE, or - for standard input')
      .shared('json')
      .more(`\n${doorHelp(door).join('\n')}`)
      .action((_own: AnswerOptions, command: CommandLine) => answerModel(door, command.optsWithGlobals()))
  }
  return program
}

/** Runs the arguments after `mizani model`; a wrong argument ends the process as in every other command. */
export async function runModel(words: readonly string[], asJson: boolean): Promise<void> {
  if (words.every((word) => word === '--json')) return listModels({ json: asJson })
  const program = modelProgram(asJson)
  refuseUnknownCommand(program, words)
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
    `  $ npx mizani model ${door.name} --params '${door.example}'`,
  ]
}

function answerHelp({ figures }: Door): readonly string[] {
  const rows = Object.entries(figures).map(([path, meaning]) => [`  ${path}`, meaning])
  return ['Answers:', ...alignColumns(rows, () => true)]
}

/** Prints every model with its summary; as JSON also with its source and example. */
function listModels(options: OutputFormat): void {
  const models = DOORS.map(({ name, summary, source, example }) => ({
    name,
    summary,
    source,
    example: JSON.parse(example) as unknown,
  }))
  const rows = alignColumns(
    models.map(({ name, summary }) => [name, summary]),
    () => true,
  )
  const more = '`mizani model NAME --help` lists the parameters of one, with units and an example.'
  print(options, [...rows, '', more].join('\n'), { models })
}
