// Stands in for `vitest` in the process that runs mutants: the same expect, and tests that are only collected. Loaded once, so
// that a mutant costs the tests that reach it and nothing else.
import { format } from 'node:util'

export { expect } from 'vitest'

type Body = (...values: readonly unknown[]) => unknown
type Hooks = Record<'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll', Body[]>
type Suite = { readonly name: string; readonly parent: Suite | null; readonly hooks: Hooks }

export type CollectedTest = {
  readonly id: string
  readonly name: string
  readonly file: string
  readonly suite: Suite
  readonly body: () => unknown
}

const collected: CollectedTest[] = []
const known = new Map<string, number>()
let file = ''
let suite: Suite = suiteOf('', null)

function suiteOf(name: string, parent: Suite | null): Suite {
  return { name, parent, hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] } }
}

/** The tests of this file, which `load` imports. */
export async function collectFile(path: string, load: () => Promise<unknown>): Promise<void> {
  file = path
  suite = suiteOf('', null)
  await load()
}

export function collectedTests(): readonly CollectedTest[] {
  return collected
}

/** The suites around a test, the outermost first. */
export function suitesAround(inner: Suite): readonly Suite[] {
  return inner.parent === null ? [inner] : [...suitesAround(inner.parent), inner]
}

function addTest(title: string, body: () => unknown): void {
  const names = [...suitesAround(suite).map(({ name }) => name), title].filter((name) => name !== '')
  const name = names.join(' > ')
  const key = `${file}#${name}`
  const before = known.get(key) ?? 0
  known.set(key, before + 1)
  collected.push({ id: before === 0 ? key : `${key} (${before + 1})`, name, file, suite, body })
}

function addSuite(title: string, body: () => void): void {
  const outer = suite
  suite = suiteOf(title, outer)
  body()
  suite = outer
}

/** The function among the arguments of a test: options and time limits stand beside it. */
function bodyAmong(given: readonly unknown[]): Body {
  const body = given.find((one) => typeof one === 'function')
  if (body === undefined) throw new TypeError('a test has a function')
  return body as Body
}

function each(add: (title: string, body: () => void) => void) {
  return (rows: readonly unknown[]) =>
    (title: string, ...given: readonly unknown[]): void => {
      const body = bodyAmong(given)
      for (const row of rows) {
        const values = Array.isArray(row) ? row : [row]
        add(format(title, ...values), () => body(...values) as void)
      }
    }
}

export const test = Object.assign(
  (title: string, ...given: readonly unknown[]) => addTest(title, () => bodyAmong(given)()),
  { each: each(addTest) },
)
export const it = test
export const describe = Object.assign(addSuite, { each: each(addSuite) })
export const beforeAll = (body: Body): unknown => suite.hooks.beforeAll.push(body)
export const beforeEach = (body: Body): unknown => suite.hooks.beforeEach.push(body)
export const afterEach = (body: Body): unknown => suite.hooks.afterEach.push(body)
export const afterAll = (body: Body): unknown => suite.hooks.afterAll.push(body)
