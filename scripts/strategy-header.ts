import { describedParameters } from '../src/daemon/config/schema/json-schema.ts'

/** The comment that a strategy file begins with, taken apart. Texts are Markdown. */
export type StrategyHeader = {
  readonly what: string
  readonly idea: string
  /** By name; a parameter within another one has both names: `windows.cron`. */
  readonly parameters: ReadonlyMap<string, string>
  /** What is reported below the parameters. */
  readonly remark: string
  readonly whenItLoses: string
}

const PARTS = /^(?:Idea:|Parameters:|WHEN IT LOSES:) */m

/** Reads the header of a strategy file. Throws where a part is missing, since every strategy has to say all of them. */
export function strategyHeader(source: string): StrategyHeader {
  const [, comment] = /^\/\*\*\n([^]*?)\n \*\//.exec(source) ?? []
  if (comment === undefined) throw new Error('a strategy file begins with its header comment')
  const text = comment.replaceAll(/^ \* ?/gm, '')
  const [what, idea, parameters, whenItLoses, more] = text.split(PARTS)
  if (whenItLoses === undefined || more !== undefined)
    throw new Error('a header says Idea:, Parameters: and WHEN IT LOSES:, once each and in this order')
  const lines = (parameters ?? '').split('\n')
  return {
    what: markdown(what ?? ''),
    idea: markdown(capital(idea ?? '')),
    parameters: describedParameters(lines.filter((line) => line.startsWith(' '))),
    remark: markdown(lines.filter((line) => !line.startsWith(' ')).join('\n')),
    whenItLoses: markdown(whenItLoses),
  }
}

/** Lines that are indented are formulas, the others flow. */
function markdown(text: string): string {
  const blocks: { readonly isFormula: boolean; readonly lines: string[] }[] = []
  for (const line of text.trim().split('\n')) {
    const isFormula = line.startsWith('  ')
    const last = blocks.at(-1)
    if (last?.isFormula === isFormula) last.lines.push(line)
    else blocks.push({ isFormula, lines: [line] })
  }
  return blocks
    .map(({ isFormula, lines }) =>
      isFormula
        ? ['```', ...lines.map((line) => line.slice(2)), '```'].join('\n')
        : lines.join('\n').replaceAll('*', String.raw`\*`),
    )
    .join('\n\n')
}

function capital(text: string): string {
  const flat = text.trim()
  return flat.charAt(0).toUpperCase() + flat.slice(1)
}
