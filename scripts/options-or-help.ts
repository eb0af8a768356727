import { parseArgs, type ParseArgsConfig } from 'node:util'
import { errorText } from '../src/base/result.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Values<Given extends Options> = ReturnType<typeof parseArgs<{ options: Given }>>['values']

/** The options of the command. `--help` prints the text and ends with 0; what is wrong is printed before it and ends with 2. */
export function optionsOr<const Given extends Options>(help: string, options: Given): Values<Given> {
  try {
    const withHelp = { ...options, help: { type: 'boolean', default: false } } as const
    const { values }: { values: Record<string, unknown> } = parseArgs({ options: withHelp })
    if (values['help'] !== true) return values as Values<Given>
    process.stdout.write(help)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n\n${help}`)
    process.exit(2)
  }
}
