import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  explainWindow,
  judgeSkipped,
  tapeProblemTexts,
  tooManySkippedText,
} from '../../../../../src/store/tape/summary/tape-window.ts'
import { MID, rateRow, sourceOf, START } from '../../../../support/backtest-tape.ts'

const HOUR = 3_600_000
const tape = sourceOf([rateRow(START, MID), rateRow(START + HOUR, MID)])
const ROWS = 'its rows are from 2026-11-02 07:00:00 UTC to 2026-11-02 08:00:00 UTC'

describe('a window', () => {
  test('that begins after the end of the tape is explained with the moments that the tape has', async () => {
    const text = await explainWindow('nothing was run', { from: START + 2 * HOUR }, tape)
    expect(text).toBe(`--from 2026-11-02 09:00:00 UTC is after the end of the tape: ${ROWS}`)
  })

  test('that ends before the tape begins, or before it begins itself, is explained', async () => {
    expect(await explainWindow('', { to: START }, tape)).toBe(
      `--to 2026-11-02 07:00:00 UTC is before the beginning of the tape: ${ROWS}`,
    )
    expect(await explainWindow('', { from: START + HOUR, to: START + HOUR }, tape)).toBe(
      `--from 2026-11-02 08:00:00 UTC is not before --to 2026-11-02 08:00:00 UTC: the window is empty; ${ROWS}`,
    )
  })

  test('within the tape leaves the reason as it is, and so does none at all', async () => {
    expect(await explainWindow('why', { from: START }, tape)).toBe('why')
    expect(await explainWindow('why', {}, tape)).toBe('why')
    expect(await explainWindow('why', { from: START }, sourceOf([]))).toBe('why')
  })
})

describe('skipped rows', () => {
  const problem = (skipped: number | null, at = 'line 7') => ({
    file: 'a.jsonl',
    at,
    message: 'bad: skipped',
    skipped,
  })

  const some = (rows: number, fills = 0) => ({ rows, fills })

  test('are counted in one sentence, with the first of them', () => {
    const problems = [problem(0, 'line 1'), problem(1), problem(2, 'line 9')]
    expect(judgeSkipped(problems, some(297), 0.01)).toEqual({
      warning: '3 of 300 rows of the tape (1.00 %) were skipped; the first: a.jsonl, line 7: bad: skipped',
      isTooMany: false,
    })
  })

  test('beyond the share are too many, at the share they are not', () => {
    expect(judgeSkipped([problem(1)], some(99), 0.01).isTooMany).toBe(false)
    expect(judgeSkipped([problem(1)], some(98), 0.01).isTooMany).toBe(true)
    expect(judgeSkipped([problem(1)], some(0), 1).isTooMany).toBe(false)
    expect(tooManySkippedText('1 of 2', 0.01)).toContain('--allow-skipped')
  })

  test('are too many too where many of the few fills are among them', () => {
    const lost = { ...problem(20), fills: 20 }
    const { warning, isTooMany } = judgeSkipped([lost], some(99_980, 80), 0.01)
    expect(isTooMany).toBe(true)
    expect(warning).toContain(
      '20 of 100,000 rows of the tape (0.02 %) were skipped, among them 20 of 100 fills (20.00 %)',
    )
    expect(judgeSkipped([lost], some(99_980, 1_980), 0.01).isTooMany).toBe(false)
  })

  test('of unknown number are named as such and too many, and without any there is no sentence', () => {
    expect(judgeSkipped([problem(null)], some(10), 0.99)).toMatchObject({
      warning: expect.stringContaining('of unknown length') as string,
      isTooMany: true,
    })
    expect(judgeSkipped([problem(null)], some(10), 1).isTooMany).toBe(false)
    expect(judgeSkipped([problem(0)], some(10), 0)).toEqual({ warning: null, isTooMany: false })
  })

  test('in any mixture are too many exactly when their share is larger', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.nat(50))),
        fc.nat(1_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (counts, rows, share) => {
          const skipped = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
          const judged = judgeSkipped(
            counts.map((count) => problem(count)),
            some(rows),
            share,
          )
          const isOver = counts.includes(null) ? share < 1 : skipped > 0 && skipped / (skipped + rows) > share
          expect(judged.isTooMany).toBe(isOver)
          expect(judged.warning === null).toBe(counts.every((count) => count === 0))
        },
      ),
    )
  })
})

test('a problem names the number of skipped rows only where it is more than the one that it is about', () => {
  const problem = { file: 'a.csv', at: 'line 2', message: 'mid is "x": skipped' }
  const texts = [1, 2, null].map((skipped) => tapeProblemTexts([{ ...problem, skipped }])[0])
  const text = 'a.csv, line 2: mid is "x": skipped'
  expect(texts).toEqual([text, `${text} (2 rows skipped)`, `${text}; the number of lost rows is unknown`])
})

test('of many gaps there is one sentence with the longest, after the other problems', () => {
  const gap = (hours: string) => ({
    file: 'mids.csv',
    at: 'a day',
    message: `no rate for ${hours} h`,
    skipped: 0,
  })
  const other = { file: 'mids.csv', at: 'row 7', message: 'not a number', skipped: 1 }
  expect(tapeProblemTexts([gap('6.0'), other, gap('18.5'), gap('6.0'), gap('6.0')])).toEqual([
    'mids.csv, row 7: not a number',
    'mids.csv: 4 gaps without a rate, the longest of 18.5 h; `mizani tape inspect --json` lists them',
  ])
  expect(tapeProblemTexts([gap('6.0'), gap('18.5')])).toHaveLength(2)
})
