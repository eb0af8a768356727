import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  return { folder, out, run: () => captured(() => dataImport(csv, { format, source: 'bank', ...out })) }
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

test('an import whose tape exists already leaves it, and writes no other file', async () => {
  const { out, run } = prepared(readFileSync(SAMPLE, 'utf8'))
  writeFileSync(out.tape, 'mine')
  expect((await run()).exitCode).toBe(1)
  expect([readFileSync(out.tape, 'utf8'), existsSync(out.feed), existsSync(out.scenario)]).toEqual([
    'mine',
    false,
    false,
  ])
})

test('an import warns of several rates of one time with their lines', async () => {
  const sample = readFileSync(SAMPLE, 'utf8')
  const { text } = await prepared(`${sample}${sample.trimEnd().split('\n').at(-2)}\n`).run()
  expect(text).toMatch(/one time the median counts: 1 time, the first in lines 241, 243/)
})
