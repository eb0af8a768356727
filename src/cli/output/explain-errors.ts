import type { Command } from 'commander'
import { printableLines } from '../../base/printable.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { nearestName } from '../../daemon/config/source/nearest-name.ts'
import { describeOption } from '../options.ts'
import { writeJson } from './print.ts'

/** A command that requires a configuration takes this folder's by default; some find their position in other ways too. */
const NO_CONFIG = /required option '--config [^']*' not specified(?:, or one of (.*))?/

function withoutConfig(_error: string, ways: string | undefined): string {
  const name = ways === undefined ? 'name a configuration with --config FILE' : `give one of ${ways}`
  return `there is no mizani.yaml in this folder: ${name}; \`mizani init\` writes a first configuration`
}

/**
 * Sets how a command line reports its errors: a sentence and a hint, or with `--json` one document and no hint. Exits with code 2.
 * Help shows the bounds of numbers. Commands that are added later inherit it.
 */
export function explainErrors<Line extends Command>(program: Line, hint: string, isJson: boolean): Line {
  return program
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({
      outputError(text, write) {
        const explained = text.replace(NO_CONFIG, withoutConfig)
        if (!isJson) return write(printableLines(explained))
        writeJson({ error: explained.trim().replace(/^error: /, ''), exitCode: EXIT_CODE.usage })
      },
    })
    .showHelpAfterError(isJson ? false : hint)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT_CODE.ok : EXIT_CODE.usage))
}

/** Ends with an error if a leading word is not a command, which `--help`, `help` and a command with subcommands would ignore. */
export function refuseUnknownCommand(program: Command, words: readonly string[]): void {
  let command = program
  const path: string[] = []
  for (const word of words) {
    if (word === 'help') continue
    if (word.startsWith('-') || command.commands.length === 0 || command.registeredArguments.length > 0)
      return
    const found = command.commands.find((one) => one.name() === word)
    if (found === undefined) {
      const nearest = nearestName(
        word,
        command.commands.map((one) => one.name()),
      )
      const hint = nearest === null ? '' : `\n(Did you mean ${[...path, nearest].join(' ')}?)`
      return command.error(`error: unknown command '${[...path, word].join(' ')}'${hint}`)
    }
    command = found
    path.push(word)
  }
}
