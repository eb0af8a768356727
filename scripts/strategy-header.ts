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
const PARAMETER = /^( +)(\w+) {2,}(\S.*)$/

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
    parameters: parametersOf(lines.filter((line) => line.startsWith(' '))),
    remark: markdown(lines.filter((line) => !line.startsWith(' ')).join('\n')),
    whenItLoses: markdown(whenItLoses),
  }
}

/** `  name   text`; deeper ones belong to the one above, and lines without a name go on with its text. */
function parametersOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let outer = ''
  let last = ''
  for (const line of lines) {
    const [, indent = '', name, text = ''] = PARAMETER.exec(line) ?? []
    if (name === undefined) found.set(last, `${found.get(last) ?? ''} ${line.trim()}`)
    else {
      if (indent.length <= 2) outer = name
      last = indent.length <= 2 ? name : `${outer}.${name}`
      found.set(last, text)
    }
  }
  return found
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
