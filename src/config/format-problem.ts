import type { ConfigProblem } from './config-problem.ts'

/** `file:line:col path: message`, then the line with a caret under the place. */
export function formatProblem(problem: ConfigProblem): string {
  const head = `${problem.file}:${problem.line}:${problem.column} ${problem.path}: ${problem.message}`
  return problem.excerpt === null ? head : `${head}\n${problem.excerpt}`
}
