/** Options that most commands have in common, spread into commander's `option`. */
export const COMMAND_OPTIONS = {
  config: ['--config <file>', 'the configuration of the position'],
  configs: ['--config <file>', 'a configuration; may be given several times', collect],
  json: ['--json', 'one JSON document instead of text'],
  reason: ['--reason <text>', 'why; it is journalled with who', 'from the command line'],
} as const

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
