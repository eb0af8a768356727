import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  feedText,
  importRates,
  type RateFormat,
  rateFormatSchema,
  scenarioText,
  tapeRows,
} from '../../../../../src/research/jobs/import/import-rates.ts'
import { formatRate, parseRate } from '../../../../../src/base/money/rate.ts'
import { readScenario } from '../../../../../src/research/jobs/read-scenarios.ts'

const SAMPLE = readFileSync(new URL('./invented-central-bank.csv', import.meta.url), 'utf8')
const NOW = Date.UTC(2026, 11, 1)
const formatOf = (given: object): RateFormat => rateFormatSchema.parse(given)
const BANK = formatOf({
  dates: 'DD-MMM-YY',
  columns: { date: 'date', buy: 'Buying', sell: 'Selling' },
  where: { Currency: 'usd' },
})
const P2P = formatOf({ delimiter: ';', decimal: ',', columns: { date: 'At', rate: 'Price' } })

function imported(text: string, format: RateFormat) {
  const read = importRates(text, format, NOW)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return read.value.rates
}
const problemsOf = (text: string, format: RateFormat) => {
  const read = importRates(text, format, NOW)
  return read.ok ? [] : read.error.map(({ line, message }) => `${line}: ${message}`)
}

describe('rates of a CSV file', () => {
  test('of a bank are the mean of buying and selling of the chosen rows, ascending whatever the order of the file', () => {
    const rates = imported(SAMPLE, BANK)
    expect(rates).toHaveLength(120)
    expect(rates.at(-1)).toMatchObject({ t: Date.UTC(2026, 5, 19, 7), mid: 24591663n * 10n ** 14n })
    expect(rates.every(({ t }, index) => index === 0 || t > (rates[index - 1]?.t ?? 0))).toBe(true)
    expect(tapeRows(rates, 'bank')[0]).toMatchObject({ type: 'reference', source: 'bank', t: rates[0]?.t })
    expect(tapeRows(rates, null)[0]).toMatchObject({ type: 'rate', rateUpdatedAt: rates[0]?.t })
  })

  test('of a peer-to-peer market are the median of each moment, with a decimal comma and ISO times', () => {
    const rates = imported(
      'At;Price\n2026-05-04T10:00Z;2.501,5\n2026-05-04 13:00+03:00;2500\n2026-05-04T10:00Z;2600\n',
      P2P,
    )
    expect(rates).toEqual([{ t: Date.UTC(2026, 4, 4, 10), mid: 25015n * 10n ** 17n, lines: [2, 3, 4] }])
    expect(feedText(rates)).toBe('time,mid\n2026-05-04T10:00:00.000Z,2501.5\n')
  })

  const ISO = 'an ISO 8601 time with a zone; for days set dates, for example dates: YYYY-MM-DD'

  test('with bad rows are an error that lists all of them with their lines', () => {
    const text =
      'At;Price\n2026-05-04T10:00Z;2500\n04/05/2026;2500\n2026-05-04T10:00Z;\n2026-05-04T10:00Z;-1\n2026-05-04T10:00;2500\n2026-02-31T10:00Z;2500\n'
    expect(problemsOf(text, P2P)).toEqual([
      `3: "04/05/2026" is not ${ISO}`,
      '4: Price: "" is not an amount with the decimal separator ,',
      '5: Price: -1 is not between 1 and 1000000 TZS per USD',
      `6: "2026-05-04T10:00" is not ${ISO}`,
      `7: "2026-02-31T10:00Z" is not ${ISO}`,
    ])
    expect(problemsOf('At;Price\n2026-05-04T10:00Z;0,0004\n2026-12-03T00:00Z;2500\n', P2P)).toEqual([
      '2: Price: 0.0004 is not between 1 and 1000000 TZS per USD',
      '3: 2026-12-03T00:00:00.000Z is in the future',
    ])
    expect(problemsOf('At;Price\n2026-05-04T10:00Z;"2500', P2P)).toEqual(['2: a quote is not closed'])
    expect(problemsOf('Day;Price\n', P2P)).toEqual([
      expect.stringContaining('no line has the columns At, Price'),
    ])
    expect(problemsOf('At;Price\n', P2P)).toEqual([expect.stringContaining('has a rate')])
    expect(problemsOf('Date,Currency,Buying,Selling\n01-Jan-26,USD,2500,2400\n', BANK)).toEqual([
      '2: Buying is above Selling',
    ])
  })

  test('are refused for a row with another number of cells or without a column of where', () => {
    const head = 'Date,Currency,Buying,Selling,Note\n'
    const text = `${head}01-SEP-26,USD,2490,2510,\n02-SEP-26,USD,2,491,2,511\n02-SEP-26,USD,2,491,2511,\n03-SEP-26\n04-SEP-26,,2492,2512,\ngarbage\n`
    const cells = (line: number, count: number) => `${line}: the header has 5 cells, but it has ${count}`
    const [first, second, cut, garbage] = [cells(3, 6), cells(4, 6), cells(5, 1), cells(7, 1)]
    expect(problemsOf(text, { ...BANK, where: {} })).toEqual([first, second, cut, garbage])
    expect(problemsOf(text, BANK)).toEqual([first, second, cut, '6: it has no Currency', garbage])
    const open = `${head}01-SEP-26,EUR,2490,2510,"a\n02-SEP-26,USD,2491,2511,"\n`
    expect(problemsOf(open, BANK)).toEqual([
      '2: a cell has a line break and a delimiter: a quote may not be closed',
    ])
    expect(problemsOf('Date,Currency,Buying,Buying,Selling\n', BANK)).toEqual([
      '1: two columns are called Buying',
    ])
  })

  test('leave out whole rows with another value of where, and count them', () => {
    expect(importRates(SAMPLE, BANK, NOW)).toMatchObject({ ok: true, value: { leftOut: 120 } })
    expect(problemsOf(SAMPLE, { ...BANK, where: { Currency: 'GBP' } })).toEqual([
      '2: no row below has a rate; where leaves out 240',
    ])
  })

  test('of one moment take time in proportion to their number', () => {
    const rates = imported(`At;Price\n${'2026-05-04T10:00Z;2500\n'.repeat(60_000)}`, P2P)
    expect(rates[0]?.lines).toHaveLength(60_000)
  })

  test('of any text are rates that a tape can hold, or problems and no rate', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('0', '1', '2', '9', '.', ',', ';', '"', '\n', '-', ' ', 'T', 'Z', ':'),
        }),
        (text) => {
          const read = importRates(`At;Price\n${text}`, P2P, NOW)
          if (read.ok) expect(read.value.rates.every(({ mid }) => parseRate(formatRate(mid)).ok)).toBe(true)
          else expect(read.error.length).toBeGreaterThan(0)
        },
      ),
    )
  })

  test('need either a rate, or buy and sell', () => {
    expect(rateFormatSchema.safeParse({ columns: { date: 'd', buy: 'b' } }).success).toBe(false)
    expect(rateFormatSchema.safeParse({ columns: { date: 'd', rate: 'r', sell: 's' } }).success).toBe(false)
  })
})

describe('a fitted scenario', () => {
  test('holds the parameters that the sample was made with within its intervals, and is a scenario', () => {
    const text = scenarioText(imported(SAMPLE, BANK), 'sample.csv')
    if (!text.ok) throw new Error(text.error)
    const interval = (name: string) =>
      new RegExp(`# ${name}: 90 % interval ([\\d.]+) to ([\\d.]+)`).exec(text.value)?.slice(1).map(Number)
    for (const [name, truth] of [
      ['sigmaBps', 21],
      ['kappa', 0.65],
      ['noiseBps', 7],
    ] as const) {
      const [low = NaN, high = NaN] = interval(name) ?? []
      expect(low).toBeLessThan(truth)
      expect(high).toBeGreaterThan(truth)
    }
    const file = join(mkdtempSync(join(tmpdir(), 'mizani-import-')), 'fitted.yaml')
    writeFileSync(file, text.value)
    const scenario = readScenario(file)
    expect(scenario).toMatchObject({ ok: true, value: { name: 'fitted' } })
    if (scenario.ok) expect(scenario.value.publication.kappa).toBeGreaterThan(0.3)
  })

  test('needs 21 days that differ, and a plausible unit', () => {
    const rates = imported(SAMPLE, BANK)
    expect(scenarioText(rates.slice(0, 20), 'f')).toMatchObject({
      ok: false,
      error: expect.stringContaining('21'),
    })
    const flat = rates.map(({ t }) => ({ t, mid: 2_500n * 10n ** 18n }))
    expect(scenarioText(flat, 'f').ok).toBe(false)
    const wild = rates.map(({ t, mid }, index) => ({ t, mid: index % 3 === 0 ? mid : mid * 2n }))
    expect(scenarioText(wild, 'f')).toMatchObject({ ok: false, error: expect.stringContaining('unit') })
  })
})
