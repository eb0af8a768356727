/** One thing wrong with a configuration: where it stands, what is wrong and what would be right. */
export type ConfigProblem = {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** Dotted: `risk.maxMidAgeMs`, `quote.pairs[0]`; '(file)' for the file as a whole. */
  readonly path: string
  /** What is wrong and what would be right. Never holds a secret. */
  readonly message: string
  /** The line and a caret below it; null where there is no line. What may be a secret is blotted out. */
  readonly excerpt: string | null
}

export type PathStep = string | number

/** What is wrong at a path, before its place in the file is looked up. */
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
