import type { Command } from 'commander'
import { EXIT_CODES } from '../src/base/exit-code.ts'
import { buildProgram } from '../src/cli/program.ts'

const HEADING = `# The commands

<!-- Written by \`node scripts/commands-docs.ts\` from the help texts themselves; a test compares. -->

\`npx mizani <command>\` in a clone or beside the installed package, plain \`mizani <command>\` in the image; \`--help\` says the same as this page.

${EXIT_CODES}
With \`--json\` stdout has JSON and nothing else, errors included; progress and warnings go to stderr.

| Command | Does |
|---|---|
`
/** As wide as a page of the documents. */
const WIDTH = 110

const { commands } = await buildProgram()

/** docs/commands.md: every command with its whole help text, in the order of \`mizani --help\`. */
export function commandsReference(): string {
  const rows = commands.map(
    (command) =>
      `| [\`mizani ${command.name()}\`](#mizani-${command.name()}) | ${command.description().replaceAll('|', '\\|')} |`,
  )
  const sections = commands.map((command) => {
    const texts = [command, ...command.commands].map((one) => `\`\`\`text\n${helpOf(one)}\n\`\`\`\n`)
    return `\n## mizani ${command.name()}\n\n${texts.join('\n')}`
  })
  return `${HEADING}${rows.join('\n')}\n${sections.join('')}`
}

function helpOf(command: Command): string {
  const written: string[] = []
  command
    .configureHelp({ ...command.configureHelp(), helpWidth: WIDTH })
    .configureOutput({ writeOut: (text) => void written.push(text), getOutHasColors: () => false })
    .outputHelp()
  return written.join('').trim()
}
