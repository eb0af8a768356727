import type { Command } from 'commander'
import { buildProgram } from '../../src/cli/program.ts'

const PROGRAM = await buildProgram()

/** Returns what is wrong with a call like `rfq cancel --salt 1`: an unknown word or option; null = nothing. */
export function commandProblem(call: string): string | null {
  let command: Command = PROGRAM
  for (const word of call.split(/\s+/)) {
    if (word === '--help') continue
    if (word.startsWith('-')) {
      const isKnown = [command, command.parent].some((one) => one?.options.some(({ long }) => long === word))
      if (!isKnown) return `${call}: no option ${word}`
    } else if (command.commands.length > 0) {
      const next = command.commands.find((one) => one.name() === word)
      if (next === undefined) return `${call}: no command ${word}`
      command = next
    }
  }
  return command.commands.length > 0 ? `${call}: not a whole command` : null
}
