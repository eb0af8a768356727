import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { dataImport } from '../../../../src/cli/tape/import.ts'
import { captured } from '../../../support/captured.ts'

const SAMPLE = new URL('../../research/jobs/import/invented-central-bank.csv', import.meta.url)

afterEach(() => {
  process.exitCode = 0
})

function prepared(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-data-import-'))
  const [csv, format] = [join(folder, 'bank.csv'), join(folder, 'bank-format.yaml')]
  writeFileSync(csv, text)
  const columns = 'columns: { date: Date, buy: Buying, sell: Selling }'
  writeFileSync(format, `dates: DD-MMM-YY\n${columns}\nwhere: { Currency: USD }\n`)
  const out = {
    tape: join(folder, 'bank.jsonl'),
    feed: join(folder, 'feed.csv'),
    scenario: join(folder, 'fitted.yaml'),
  }
  const run = (to: Partial<typeof out> = out) =>
    captured(() => dataImport(csv, { format, source: 'bank', ...to }))
  return { folder, csv, format, out, run }
}

test('an import writes a tape, a feed and a scenario of the same rates', async () => {
  const { out, run } = prepared(readFileSync(SAMPLE, 'utf8'))
  const { text, exitCode } = await run()
  expect([exitCode, text]).toEqual([
    0,
    expect.stringMatching(/120 rates, 2026-01-05.*\n120 rows with another Currency left out\n/),
  ])
  expect(readFileSync(out.tape, 'utf8').trimEnd().split('\n')).toHaveLength(120)
  expect(readFileSync(out.feed, 'utf8').trimEnd().split('\n')).toHaveLength(121)
  expect(readFileSync(out.scenario, 'utf8')).toContain('publication:\n  kappa:')
})

test('an import with bad rows lists each with its line, and writes nothing', async () => {
  const { folder, out, run } = prepared(
    `${readFileSync(SAMPLE, 'utf8')}31-Feb-26,USD,2400,2500\n01-Feb-26,USD,x,2500\n`,
  )
  const { text, exitCode } = await run()
  expect(exitCode).toBe(1)
  expect(text).toMatch(/line 243: .*\n.*line 244: Buying/)
  expect(readdirSync(folder).toSorted()).toEqual(['bank-format.yaml', 'bank.csv'])
  expect(existsSync(out.tape)).toBe(false)
})

test('an import writes nothing if a file exists, is named twice or cannot be written', async () => {
  const { folder, csv, format, out, run } = prepared(readFileSync(SAMPLE, 'utf8'))
  const mine = join(folder, 'mine')
  writeFileSync(mine, 'mine')
  const missing = join(folder, 'missing', 'x')
  const before = readdirSync(folder)
  for (const [to, why] of [
    ...[mine, csv, format].flatMap((taken) =>
      (['tape', 'feed', 'scenario'] as const).map((kind) => [{ [kind]: taken }, 'already exists'] as const),
    ),
    [{ feed: join(folder, '.', 'bank.jsonl') }, 'named twice'],
    ...[{ tape: missing }, { feed: missing }, { scenario: missing }].map(
      (to) => [to, 'cannot be written'] as const,
    ),
  ] as const) {
    const { text, exitCode } = await run({ ...out, ...to })
    expect([exitCode, text]).toEqual([1, expect.stringMatching(new RegExp(`${why}.*; nothing was written`))])
    expect(readdirSync(folder)).toEqual(before)
  }
  expect(readFileSync(mine, 'utf8')).toBe('mine')
})

test('an import whose last file cannot get its name reports the files that were written', async () => {
  const { folder, run } = prepared(readFileSync(SAMPLE, 'utf8'))
  symlinkSync(folder, join(folder, 'alias'))
  const tape = join(folder, 'rates')
  const { text, exitCode } = await run({ tape, feed: join(folder, 'alias', 'rates') })
  expect([exitCode, text]).toEqual([1, expect.stringContaining(`; written before: ${tape}`)])
})

test('an import warns of several rates of one time with their lines', async () => {
  const sample = readFileSync(SAMPLE, 'utf8')
  const { text } = await prepared(`${sample}${sample.trimEnd().split('\n').at(-2)}\n`).run()
  expect(text).toMatch(/one time the median counts: 1 time, the first in lines 241, 243/)
})
