import type { MutationRoom } from './rooms.ts'
import { LEAST_SCORE } from './score.ts'

/** Where a room's reports go, from the repository's root. */
export function reportFiles(room: string): { readonly json: string; readonly html: string } {
  return { json: `reports/mutation/${room}.json`, html: `reports/mutation/${room}.html` }
}

export type RunChoice = {
  /** The files to change; null = all of the room. */
  readonly files: readonly string[] | null
  readonly concurrency: number
  /** Tries again what the last run has a result for. */
  readonly force: boolean
}

/** What no test of these rooms reads is not copied for the run. */
const UNUSED = 'bench coverage data deploy dist docs examples grafana reports scripts'
  .concat(' test/contract test/e2e test/golden test/tidy test/world')
  .split(' ')
  .map((folder) => `/${folder}`)

/** What Stryker is given for one room (its StrykerOptions; the types are not installed with the product). */
export function strykerOptions(
  { name, source }: MutationRoom,
  { files, concurrency, force }: RunChoice,
): Readonly<Record<string, unknown>> {
  const { json, html } = reportFiles(name)
  return {
    testRunner: 'in-process',
    plugins: [new URL('runner.ts', import.meta.url).href],
    mutate: files ?? [`${source}/**/*.ts`],
    coverageAnalysis: 'perTest',
    // Of code that runs once when a module loads every test would have to run again in a fresh process.
    ignoreStatic: true,
    // TypeScript 7 has no compiler API that Stryker could read a tsconfig.json with; node strips the types.
    tsconfigFile: 'absent.json',
    concurrency,
    // A loop without an end is one, and a test on a busy machine is none.
    timeoutMS: 5_000,
    timeoutFactor: 1.5,
    // A killed mutant stays so while its code and the test that killed it are the same.
    incremental: true,
    incrementalFile: `reports/mutation/${name}.incremental.json`,
    force,
    tempDirName: '.stryker-tmp',
    ignorePatterns: UNUSED,
    reporters: ['clear-text', 'progress', 'html', 'json'],
    jsonReporter: { fileName: json },
    htmlReporter: { fileName: html },
    clearTextReporter: { reportTests: false, reportMutants: false, reportScoreTable: true },
    // A few files may be below what the whole room is above.
    thresholds: { high: 95, low: LEAST_SCORE, break: files === null ? LEAST_SCORE : null },
  }
}
