import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docBlocks } from '../e2e/docs/doc-blocks.ts'
import { needs } from '../support/needs.ts'

const ROOT = join(import.meta.dirname, '../..')
const blocks = docBlocks(readFileSync(join(ROOT, 'docs/tape-queries.md'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'mizani-tape-queries-'))

/** Prints what every snippet has to leave: rates and fills in order, with the prices as numbers. */
const CHECK = `
import json
print(json.dumps({
    "rates": len(rates), "areRatesInOrder": list(rates["t"]) == sorted(rates["t"]),
    "fills": len(fills), "areFillsInOrder": list(fills["t"]) == sorted(fills["t"]),
    "types": sorted({str(frame[name].dtype).lower() for frame, name in [(rates, "mid"), (fills, "price")]}),
    "edgeBps": round(float(fills["edgeBps"].mean()), 3),
    "paid": format(PAID.normalize(), "f"),
}))
`

/** Where each snippet leaves the exact sums. */
const PAID = [
  ['pandas', 'paid.sum()'],
  ['polars', 'paid["amountIn"].sum()'],
  ['duckdb', 'duckdb.sql("SELECT sum(CAST(amountIn AS DECIMAL(38,18))) FROM fills").fetchone()[0]'],
] as const

describe.skipIf(needs('python3'))('the snippets of docs/tape-queries.md', () => {
  beforeAll(() => {
    const [install] = blocks.filter(({ language }) => language === 'sh')
    const packages = install?.text.trim().split(' ').slice(2) ?? []
    execFileSync('python3', ['-m', 'venv', join(folder, 'venv')])
    execFileSync(join(folder, 'venv/bin/pip'), ['install', '--quiet', ...packages])
    const merge = ['tape', 'merge', join(ROOT, 'examples/week'), '--out', 'tape']
    execFileSync(join(ROOT, 'bin/mizani'), merge, { cwd: folder })
  }, 600_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(PAID)('the one of %s gives sorted rows with numbers, and exact sums', (tool, paid) => {
    const snippet = blocks.find(({ words }) => words.includes(tool))?.text ?? ''
    const printed = execFileSync(
      join(folder, 'venv/bin/python'),
      ['-c', snippet + CHECK.replace('PAID', paid)],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, MPLBACKEND: 'agg' },
      },
    )
    expect(JSON.parse(printed)).toEqual({
      rates: 98_394,
      areRatesInOrder: true,
      fills: 3479,
      areFillsInOrder: true,
      types: ['float64'],
      edgeBps: 64.393,
      paid: '1831652056.36',
    })
  })
})
