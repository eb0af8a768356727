import { describe, expect, test } from 'vitest'
import {
  classifyFill,
  closeHistory,
  createFillDedupCache,
  REMEMBERED_FILLS,
  rememberFill,
} from '../../../../../src/core/ledger/fills/dedupe.ts'
import { fillOf, NTZS, runningDesk, USD } from '../reconciliation/harness.ts'

describe('the memory for fills', () => {
  test('names that mean something to an object are ids like any other', () => {
    const memory = createFillDedupCache()
    for (const id of ['__proto__', 'constructor', 'toString', '17', '']) {
      expect(classifyFill(memory, fillOf(id))).toBe('new')
      rememberFill(memory, fillOf(id))
      expect(classifyFill(memory, fillOf(id))).toBe('known')
    }
  })

  test('the last 2,000 are remembered and no more', () => {
    const memory = createFillDedupCache()
    for (let n = 0; n < 3 * REMEMBERED_FILLS + 5; n++) rememberFill(memory, fillOf(`f${n}`))
    expect(Object.keys(memory.known)).toHaveLength(REMEMBERED_FILLS)
    expect(memory.ring).toHaveLength(REMEMBERED_FILLS)
    expect(classifyFill(memory, fillOf(`f${2 * REMEMBERED_FILLS + 5}`))).toBe('known')
    expect(classifyFill(memory, fillOf(`f${2 * REMEMBERED_FILLS + 4}`))).toBe('new')
  })

  test('a row older than what is remembered cannot be told from a booked one', () => {
    const memory = createFillDedupCache()
    for (let n = 0; n < REMEMBERED_FILLS + 10; n++) rememberFill(memory, fillOf(`f${n}`, { createdAt: n }))
    expect(classifyFill(memory, fillOf('f3', { createdAt: 3 }))).toBe('too-old')
    expect(classifyFill(memory, fillOf('late', { createdAt: 9 }))).toBe('too-old')
    expect(classifyFill(memory, fillOf('late', { createdAt: 10 }))).toBe('new')
    expect(classifyFill(memory, fillOf('undated'))).toBe('new')
  })

  test('while nothing was forgotten, a late old row is simply new', () => {
    const memory = createFillDedupCache()
    rememberFill(memory, fillOf('a', { createdAt: 1_000 }))
    expect(classifyFill(memory, fillOf('b', { createdAt: 5 }))).toBe('new')
  })

  test('after the opening, an unknown row from before it is not judged', () => {
    const memory = createFillDedupCache()
    closeHistory(memory)
    rememberFill(memory, fillOf('a', { createdAt: 1_000 }))
    closeHistory(memory)
    expect(classifyFill(memory, fillOf('b', { createdAt: 999 }))).toBe('too-old')
    expect(classifyFill(memory, fillOf('c', { createdAt: 1_000 }))).toBe('new')
  })
})

describe('a fill that an earlier version remembered in units of its tokens', () => {
  const seen = { at: null, amountIn: 10n * 10n ** 6n, amountOut: 24_900n * NTZS, inTokens: true } as const
  const memory = { ...createFillDedupCache(), known: { '#a': seen } }

  test('is known where the row has the same book amounts', () => {
    expect(classifyFill(memory, fillOf('a'))).toBe('known')
  })

  test('is changed where a row has other ones, if only by what the tokens could not count', () => {
    for (const off of [{ amountIn: 10n * USD + 1n }, { amountIn: 10n * 10n ** 6n }, { amountOut: NTZS }])
      expect(classifyFill(memory, fillOf('a', off))).toBe('changed')
  })
})

describe('admission of rows', () => {
  test('a fill reported twice is posted once, in one answer or in two', () => {
    const desk = runningDesk()
    const twice = desk.poll([fillOf('a'), fillOf('a'), fillOf('a', { amountIn: 11n })]).admission
    // A repetition within one answer does not show that the answer continues the one before.
    expect([twice.fresh.length, twice.changed.length, twice.seenBefore]).toEqual([1, 1, 0])
    expect(desk.poll([fillOf('a')]).admission).toMatchObject({ fresh: [], seenBefore: 1, added: 0 })
    expect(desk.entries.filter((entry) => entry.kind === 'fill')).toHaveLength(1)
  })

  test.each([{ amountIn: 11n }, { inAsset: 'USDT' }, { inAsset: 'NTZS', outAsset: 'USDC' }] as const)(
    'the same id with other amounts or tokens (%o) is reported, and what was posted stays',
    (other) => {
      const desk = runningDesk()
      desk.poll([fillOf('a')])
      const { admission } = desk.poll([fillOf('a', other)])
      expect(admission).toMatchObject({ changed: [{ id: 'a' }], seenBefore: 1, added: 0 })
      expect(desk.entries.filter((entry) => entry.kind === 'fill')).toHaveLength(1)
    },
  )

  test('a row too old to judge is reported once and never posted', () => {
    const desk = runningDesk()
    desk.state.memory.judgedUpTo = 500
    const old = fillOf('old', { createdAt: 400 })
    expect(desk.poll([old]).admission).toMatchObject({ tooOld: [old], added: 1 })
    expect(desk.poll([old]).admission.tooOld).toEqual([])
    expect(desk.entries.filter((entry) => entry.kind === 'fill')).toEqual([])
  })
})
