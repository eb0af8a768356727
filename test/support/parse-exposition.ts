/** One series as the text form has it. */
export type Series = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export type Family = {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly series: Series[]
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"/y
const VALUE = /^(?:NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const SUFFIXES: Readonly<Record<string, readonly string[]>> = { histogram: ['_bucket', '_sum', '_count'] }

/**
 * Reads Prometheus' text form 0.0.4 as strictly as it is written down: HELP, then TYPE, then all series of that metric
 * in one group; no metric twice, no series twice. Throws with the line that is wrong.
 */
export function parseExposition(text: string): readonly Family[] {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, Family>()
  let family: Family | null = null
  let help: { readonly name: string; readonly text: string } | null = null
  const seen = new Set<string>()
  for (const line of text.split('\n').slice(0, -1)) {
    const head = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line)
    if (head !== null) {
      const [, kind, name = '', rest = ''] = head
      if (kind === 'HELP') help = { name, text: rest }
      else if (help?.name !== name || families.has(name)) throw new Error(`a head out of place: ${line}`)
      else {
        family = { name, help: help.text, type: rest, series: [] }
        families.set(name, family)
      }
      continue
    }
    const series = parseSeries(line)
    const labels = Object.entries(series.labels).map((label) => JSON.stringify(label))
    const key = [series.name, ...labels.toSorted()].join(' ')
    if (family === null || !isOf(family, series.name))
      throw new Error(`a series outside of its group: ${line}`)
    if (seen.has(key)) throw new Error(`a series twice: ${line}`)
    seen.add(key)
    family.series.push(series)
  }
  return [...families.values()]
}

function isOf({ name, type }: Family, series: string): boolean {
  const suffixes = SUFFIXES[type] ?? ['']
  return suffixes.some((suffix) => series === name + suffix)
}

function parseSeries(line: string): Series {
  NAME.lastIndex = 0
  const name = NAME.exec(line)?.[0]
  if (name === undefined) throw new Error(`no series: ${line}`)
  const labels: Record<string, string> = {}
  let at = name.length
  if (line[at] === '{') {
    do {
      LABEL.lastIndex = at + 1
      const found = LABEL.exec(line)
      if (found === null) throw new Error(`no label at ${at + 1}: ${line}`)
      const [, label = '', value = ''] = found
      if (label in labels) throw new Error(`a label twice: ${line}`)
      labels[label] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
      at = LABEL.lastIndex
    } while (line[at] === ',')
    if (line[at] !== '}') throw new Error(`labels without an end: ${line}`)
    at += 1
  }
  const value = line.slice(at + 1)
  if (line[at] !== ' ' || !VALUE.test(value)) throw new Error(`no value: ${line}`)
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) }
}
