import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { monthStatement } from '../../../src/treasury/statement/month-statement.ts'
import { statementBeancount } from '../../../src/treasury/statement/statement-text.ts'
import { needs } from '../../support/needs.ts'

/** The month of a treasury that opens with 5000.45 USDC, of which a rail took 0.25. */
function monthText(): string {
  const entry = (t: number, from: string, to: string, amount: bigint) => ({
    t,
    intent: 'ab12',
    reason: 'a test',
    postings: [
      { account: from, asset: 'USDC' as const, amount: -amount },
      { account: to, asset: 'USDC' as const, amount },
    ],
  })
  const entries = [
    entry(Date.UTC(2026, 9, 5), 'opening', 'treasury', 5_000_450_000n),
    entry(Date.UTC(2026, 10, 5), 'treasury', 'railCosts', 250_000n),
  ]
  const made = monthStatement({ month: '2026-11', entries, read: null, chain: null, bank: null })
  if (!made.ok) throw new Error(made.error)
  return statementBeancount(made.value)
}

function check(text: string): number | null {
  const file = join(mkdtempSync(join(tmpdir(), 'mizani-statement-')), 'm.beancount')
  writeFileSync(file, text)
  return spawnSync('bean-check', [file]).status
}

test.skipIf(needs('bean-check'))(
  'bean-check accepts the statement of a month, and fails a leg, an opening or a balance that is altered by one unit',
  () => {
    const text = monthText()
    expect(check(text)).toBe(0)
    for (const [figure, altered] of [
      ['  Expenses:Rails  0.250000 USDC', '  Expenses:Rails  0.250001 USDC'],
      ['  Equity:Opening  -5000.450000 USDC', '  Equity:Opening  -5000.450001 USDC'],
      ['balance Assets:Treasury 5000.200000 ~ 0', 'balance Assets:Treasury 5000.200001 ~ 0'],
    ] as const) {
      expect(text).toContain(figure)
      expect(check(text.replace(figure, altered))).not.toBe(0)
    }
  },
)
