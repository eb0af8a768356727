// The test runner of Stryker for `npm run mutation`: all tests are loaded once into its process, and a mutant is switched on for the
// tests that reach it. A new vitest run for each mutant costs fifty times as much.
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import type { CollectedTest } from './collect.ts'
import { roomNamed } from './rooms.ts'

const COLLECT = new URL('collect.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const isTest = specifier === 'vitest' && context.parentURL !== COLLECT
    return isTest
      ? { url: COLLECT, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context)
  },
})

/** What instrumented code looks at, as Stryker's instrumenter writes it. */
type Instrumentation = {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: unknown
}

type MutantRun = {
  readonly activeMutant: { readonly id: string }
  readonly testFilter?: readonly string[]
  readonly hitLimit?: number
}

const scope = globalThis as { __stryker__?: Instrumentation }
const instrumented: Instrumentation = (scope.__stryker__ ??= {})

/** TestRunner of @stryker-mutator/api; its types are not installed with the product. */
class InProcessRunner {
  readonly #tests = new Map<string, CollectedTest>()
  readonly #durations = new Map<string, number>()
  #around: typeof import('./collect.ts').suitesAround = () => []

  capabilities() {
    return { reloadEnvironment: false }
  }

  async init(): Promise<void> {
    const { collectFile, collectedTests, suitesAround } = (await import(
      COLLECT
    )) as typeof import('./collect.ts')
    this.#around = suitesAround
    const load = (file: string) => collectFile(file, () => import(pathToFileURL(resolve(file)).href))
    const { tests, except = [] } = roomNamed(process.env['MIZANI_MUTATION_ROOM'] ?? '')
    for (const file of tests.flatMap((glob) => globSync(glob).sort())) await load(file)
    for (const test of collectedTests())
      if (!except.some((title) => test.name.includes(title))) this.#tests.set(test.id, test)
  }

  async dryRun() {
    const tests = []
    for (const test of this.#tests.values()) {
      instrumented.currentTestId = test.id
      const failure = await this.#run(test)
      const timeSpentMs = this.#durations.get(test.id) ?? 0
      const shown = { id: test.id, name: test.name, fileName: join(process.cwd(), test.file), timeSpentMs }
      tests.push(
        failure === null ? { ...shown, status: 0 } : { ...shown, status: 1, failureMessage: failure },
      )
    }
    instrumented.currentTestId = undefined
    return { status: 'complete', tests, mutantCoverage: instrumented.mutantCoverage }
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRun) {
    const chosen = (testFilter ?? [...this.#tests.keys()]).map((id) => this.#tests.get(id))
    const tests = chosen.filter((test) => test !== undefined).sort((a, b) => this.#cost(a) - this.#cost(b))
    for (const [index, test] of tests.entries()) {
      Object.assign(instrumented, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
      const failureMessage = await this.#run(test)
      const isEndless = hitLimit !== undefined && (instrumented.hitCount ?? 0) > hitLimit
      instrumented.activeMutant = undefined
      if (isEndless) return { status: 'timeout', reason: 'a loop without an end' }
      if (failureMessage === null) continue
      await this.#check(test)
      return { status: 'killed', killedBy: [test.id], failureMessage, nrOfTests: index + 1 }
    }
    return { status: 'survived', nrOfTests: tests.length }
  }

  #cost({ id }: CollectedTest): number {
    return this.#durations.get(id) ?? 0
  }

  /** A test that a mutant before this one has spoiled kills nothing: Stryker starts a fresh process and tries again. */
  async #check(test: CollectedTest): Promise<void> {
    const failure = await this.#run(test)
    if (failure !== null) throw new Error(`${test.id} fails without a mutant too: ${failure}`)
  }

  /** Null where the test passes. */
  async #run(test: CollectedTest): Promise<string | null> {
    const around = this.#around(test.suite)
    const before = around
      .flatMap(({ hooks }) => hooks.beforeAll)
      .concat(around.flatMap(({ hooks }) => hooks.beforeEach))
    const after = around.toReversed().flatMap(({ hooks }) => [...hooks.afterEach, ...hooks.afterAll])
    const began = performance.now()
    let failure: string | null = null
    for (const body of [...before, test.body, ...after]) {
      try {
        await body()
      } catch (error) {
        failure ??= error instanceof Error ? error.message : String(error)
      }
    }
    this.#durations.set(test.id, performance.now() - began)
    return failure
  }
}

/** What Stryker reads of a plugin. */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: InProcessRunner }]
