import { describe, expect, test } from 'vitest'
import * as stand from '../../mutation/collect.ts'

describe('tests that are collected for mutants', () => {
  test('have the names of their suites, their rows and their hooks, and an id of their own', async () => {
    const ran: unknown[] = []
    const { describe: suite, test: add, it, beforeEach, afterAll } = stand
    await stand.collectFile('a.test.ts', async () => {
      suite('outer', () => {
        beforeEach(() => ran.push('before'))
        suite.each([['one'], ['two']])('inner %s', (name: unknown) => {
          afterAll(() => ran.push('after'))
          it.each([[1, 2]])('adds %d and %d', (a: unknown, b: unknown) => {
            ran.push([name, a, b])
          })
        })
      })
      add('twin', { timeout: 9 }, () => undefined)
      add('twin', () => undefined, 9)
      return Promise.resolve()
    })
    await stand.collectFile('b.test.ts', () => Promise.resolve(add('alone', () => ran.push('alone'))))
    const tests = stand.collectedTests()
    expect(tests.map(({ id }) => id)).toEqual([
      'a.test.ts#outer > inner one > adds 1 and 2',
      'a.test.ts#outer > inner two > adds 1 and 2',
      'a.test.ts#twin',
      'a.test.ts#twin (2)',
      'b.test.ts#alone',
    ])
    const [first] = tests
    const hooks = stand
      .suitesAround(first!.suite)
      .map((one) => [one.name, one.hooks.beforeEach.length, one.hooks.afterAll.length])
    expect(hooks).toEqual([
      ['', 0, 0],
      ['outer', 1, 0],
      ['inner one', 0, 1],
    ])
    await first!.body()
    expect(ran).toEqual([['one', 1, 2]])
  })

  test('a test without a function is refused when it would run', async () => {
    await stand.collectFile('c.test.ts', () => Promise.resolve(stand.test('empty')))
    expect(() => stand.collectedTests().at(-1)?.body()).toThrow('has a function')
  })
})
