/** A configuration problem: where it is, what is wrong and what would be valid. */
export type ConfigProblem = {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** Dotted: `risk.maxMidAgeMs`, `quote.pairs[0]`; '(file)' for the file as a whole. */
  readonly path: string
  /** What is wrong and what would be valid. Never contains a secret. */
  readonly message: string
  /** The line with a caret below it, or who set another value than the line; null = there is no line. Possible secrets are masked. */
  readonly excerpt: string | null
}

export type PathStep = string | number

/** A problem at a path, before its place in the file is located. */
export type Finding = {
  readonly path: readonly PathStep[]
  /** Whether the key itself or its value is wrong. */
  readonly at: 'key' | 'value'
  readonly message: string
}

/** `['quote', 'pairs', 0]` as `quote.pairs[0]`. */
export function pathText(path: readonly PathStep[]): string {
  if (path.length === 0) return '(file)'
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('')
}

/** `file:line:col path: message`, then the line with a caret under the place. */
export function formatProblem(problem: ConfigProblem): string {
  const head = `${problem.file}:${problem.line}:${problem.column} ${problem.path}: ${problem.message}`
  return problem.excerpt === null ? head : `${head}\n${problem.excerpt}`
}

export function formatProblems(problems: readonly ConfigProblem[]): string {
  return problems.map(formatProblem).join('\n')
}

/** A possible secret in the text: [start, end) offsets that no excerpt may show. */
export type SecretRange = readonly [start: number, end: number]

const SECRETISH = /(key|token|secret|passw|!env|!file|auth)/i
/** A long unbroken run of letters and digits looks like a key. */
const KEYLIKE = /[A-Za-z0-9_+/=-]{16,}/g
/** A URL with more than a host: its user, path or query may be a key. */
const URL_WITH_MORE = /[a-z][a-z0-9+.-]*:\/\/(?![\w.:[\]-]+\/?(?:["',}\]]|\s*(?:#|$)))/i
const MAX_WIDTH = 100

/**
 * Returns the line of the problem up to the end of the offending piece, with a caret under its start. The rest is cut and possible secrets
 * are masked, because problems end up in logs and tickets.
 */
export function excerptAt(
  text: string,
  range: readonly [number, number],
  hidden: readonly SecretRange[],
): string | null {
  const start = Math.min(range[0], text.length)
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = endOfLine(text, start)
  const end = Math.min(Math.max(range[1], start + 1), lineEnd)
  const shown = blot(text.slice(lineStart, end), lineStart, hidden)
  if (shown.trim() === '') return null
  const lineNumber = String(text.slice(0, lineStart).split('\n').length)
  const column = start - lineStart
  const from = column > MAX_WIDTH ? column - MAX_WIDTH / 2 : 0
  const cut = (from > 0 ? '…' : '') + shown.slice(from, from + MAX_WIDTH)
  const more = end < lineEnd || from + MAX_WIDTH < shown.length ? ' …' : ''
  const gutter = ' '.repeat(lineNumber.length)
  const pad = cut.slice(0, column - from + (from > 0 ? 1 : 0)).replace(/[^\t]/g, ' ')
  return `  ${lineNumber} | ${cut.trimEnd()}${more}\n  ${gutter} | ${pad}^`
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  const end = newline === -1 ? text.length : newline
  return end > 0 && text[end - 1] === '\r' ? end - 1 : end
}

/** Masks without shifting columns, so that the caret still points at the right place. */
function blot(line: string, lineStart: number, hidden: readonly SecretRange[]): string {
  const letters = line.split('')
  for (const [start, end] of hidden) {
    for (let i = Math.max(0, start - lineStart); i < Math.min(letters.length, end - lineStart); i++)
      letters[i] = '*'
  }
  const secretish = SECRETISH.exec(line)
  if (secretish !== null) {
    const value = /[:\s]\s*/.exec(line.slice(secretish.index))
    const from = value === null ? letters.length : secretish.index + value.index + value[0].length
    for (let i = from; i < letters.length; i++) letters[i] = '*'
  }
  const url = URL_WITH_MORE.exec(line)
  if (url !== null) letters.fill('*', url.index + url[0].length)
  return letters
    .join('')
    .replace(KEYLIKE, (run) => (/\d/.test(run) && /[A-Za-z]/.test(run) ? '*'.repeat(run.length) : run))
}
