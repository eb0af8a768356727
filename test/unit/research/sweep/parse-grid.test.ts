import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_VARIANTS, parseGrid } from '../../../../src/research/sweep/grid.ts'
import { numberVariants } from '../../../../src/research/sweep/variant.ts'

describe('a grid', () => {
  test('becomes every combination, the last key changing fastest, after the unchanged configuration', () => {
    const parsed = parseGrid('{"halfSpreadBps":[40,60],"quote.pairs":[["USDC"],null]}')
    const variants = numberVariants(parsed.ok ? parsed.value : [])
    expect(variants).toEqual([
      { index: 0, label: 'unchanged', changes: {} },
      {
        index: 1,
        label: 'halfSpreadBps=40 quote.pairs=["USDC"]',
        changes: { 'strategy.params.halfSpreadBps': 40, 'quote.pairs': ['USDC'] },
      },
      {
        index: 2,
        label: 'halfSpreadBps=40 quote.pairs=null',
        changes: { 'strategy.params.halfSpreadBps': 40, 'quote.pairs': null },
      },
      {
        index: 3,
        label: 'halfSpreadBps=60 quote.pairs=["USDC"]',
        changes: { 'strategy.params.halfSpreadBps': 60, 'quote.pairs': ['USDC'] },
      },
      {
        index: 4,
        label: 'halfSpreadBps=60 quote.pairs=null',
        changes: { 'strategy.params.halfSpreadBps': 60, 'quote.pairs': null },
      },
    ])
  })

  test('has as many different variants as its lists have combinations, whatever the lists', () => {
    const lists = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,6}$/),
      fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 5 }),
      { minKeys: 1, maxKeys: 4 },
    )
    fc.assert(
      fc.property(lists, (grid) => {
        const parsed = parseGrid(JSON.stringify(grid))
        const changes = parsed.ok ? parsed.value : []
        const product = Object.values(grid).reduce((count, values) => count * values.length, 1)
        expect(new Set(changes.map((one) => JSON.stringify(one))).size).toBe(product)
      }),
    )
  })

  test.each([
    ['{halfSpreadBps:[40]}', /--grid is not JSON/],
    ['[40,60]', /not an object of lists/],
    ['null', /not an object of lists/],
    ['{}', /names no key/],
    [
      '{"halfSpreadBps":40}',
      /halfSpreadBps is not a list of values; expected something like \{"halfSpreadBps":\[40,60,80\]\}/,
    ],
    ['{"halfSpreadBps":[]}', /halfSpreadBps has no values/],
    ['{"halfSpreadBps":[40,60,40]}', /halfSpreadBps has 40 twice/],
    ['{"halfSpreadBps":[40],"strategy.params.halfSpreadBps":[50]}', /occurs twice/],
    ['{"backtest.fills":["thinned"]}', /backtest.fills is common to all variants; --fills sets it/],
    ['{"backtest.tape":["a","b"]}', /--tape sets it/],
    ['{"halfSpreadBps":[40],"backtest.seed":[1,2]}', /--seed sets it/],
  ])('is refused with what is expected: %s', (text, message) => {
    expect(parseGrid(text)).toEqual({ ok: false, error: expect.stringMatching(message) as string })
  })

  test('with more combinations than anybody can run is refused before they are made', () => {
    const many = JSON.stringify(Array.from({ length: 1_000 }, (_, i) => i))
    const parsed = parseGrid(`{"a":${many},"b":${many},"c":${many},"d":${many}}`)
    expect(parsed).toEqual({
      ok: false,
      error: expect.stringContaining(`more than ${MAX_VARIANTS}`) as string,
    })
  })
})
