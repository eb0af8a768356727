import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  countIncident,
  createDailySummary,
  figuresOf,
  type DailySummary,
} from '../../../../../src/daemon/notify/daily-summary/summary.ts'
import { summaryFile } from '../../../../../src/daemon/notify/daily-summary/summary.ts'
import { summaryText } from '../../../../../src/daemon/notify/daily-summary/summary-text.ts'
import { plainFigure } from '../../../../../src/daemon/notify/figure-text.ts'
import { exampleView } from '../../telemetry/example-view.ts'
import { exampleNotice, NOON } from '../example-message.ts'

const DAY_MS = 86_400_000
const folder = mkdtempSync(join(tmpdir(), 'day-book-'))

const before = exampleView()
const tzs = {
  spreadCapture: '1120.500000000000000000000000000000000001',
  staleMid: '-220',
  inventory: '107',
  costs: '-1.5',
  unreconciled: '0',
  total: '1006.000000000000000000000000000000000001',
}
const usd = { edge: '0.55', inventory: '-0.01', costs: '0', unreconciled: '0', total: '0.54' }

function after(): typeof before {
  if (before.pnl === null) throw new Error('the example can be valued')
  return exampleView({
    now: NOON,
    pnl: { ...before.pnl, tzs, usd },
    fills: { total: 12, bid: 7, ask: 5, volumeUsd: '1000', last: [] },
  })
}

function book(changes: Partial<DailySummary> = {}): DailySummary {
  return { ...createDailySummary(NOON - DAY_MS), before: figuresOf(before), ...changes }
}

describe('summaryText', () => {
  test('says the day by identity, so that the terms add up, and the total beside it', () => {
    const text = summaryText(book({ quotedMs: DAY_MS / 2 }), after(), 'Africa/Dar_es_Salaam')
    expect(text.split('\n')).toEqual([
      'daily summary since 2026-03-01 15:00:00 (1 d 0 h)',
      'PnL +900 TZS (in total +1,006), +0.5 USD (in total +0.54)',
      '  TZS: spread +1,000, stale mid -200, inventory +100, costs 0, unreconciled 0',
      'fills 7 bid, 5 ask; volume 1,000 USD; edge 5.0 bps',
      'a quote was live 50.0 % of the time',
      'holds 1,000,000.25 NTZS, 500.5 USDC',
      'dollars are 56.0 % of the value, the target is 50.0 %',
      'now ACTIVE; ledger reconciled',
      'no incidents',
    ])
  })

  test('a day without fills has no edge, and a position that cannot be valued no PnL: never NaN', () => {
    expect(summaryText(book(), exampleView({ now: NOON }), 'UTC')).toContain('edge none')
    const blind = summaryText(book(), exampleView({ now: NOON, pnl: null, balances: {} }), 'UTC')
    expect(blind).toContain('PnL: unknown')
    expect(blind + summaryText(book({ since: NOON }), after(), 'UTC')).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('names the gravest incidents first, and a reason from outside gets no line of its own', () => {
    const one = book()
    for (let i = 0; i < 3; i += 1) countIncident(one, exampleNotice())
    countIncident(one, exampleNotice({ code: 'halted', severity: 'critical' }))
    countIncident(one, exampleNotice({ code: 'operator', severity: 'info' }))
    countIncident(one, exampleNotice({ kind: 'lifted', code: 'halted' }))
    countIncident(one, exampleNotice({ kind: 'reminder', code: 'halted', severity: 'critical' }))
    const text = summaryText(one, exampleView({ now: NOON, reasons: ['halted: a\nno incidents'] }), 'UTC')
    expect(text.split('\n').slice(-2)).toEqual([
      'now ACTIVE: halted: a no incidents; ledger reconciled',
      'incidents: 1 x halted, 3 x mid-age',
    ])
  })
})

test('an amount that rounds to zero has no sign in a message', () => {
  expect(['-0.001', '-0', '-0.5', '1234.5'].map(plainFigure)).toEqual(['0', '0', '-0.5', '1,234.5'])
})

describe('the book on disk', () => {
  test('comes back equal, and what is damaged, foreign or of the future begins anew', async () => {
    const path = join(folder, 'notified.json')
    const file = summaryFile(path)
    expect(file.read(NOON)).toEqual(createDailySummary(NOON))
    const kept = book({
      halted: { since: 5, text: 'x' },
      starts: [1, 2],
      incidents: { a: { severity: 'warning', count: 2 } },
    })
    await file.write(kept)
    expect(file.read(NOON)).toEqual(kept)
    expect(file.read(kept.since - 1)).toEqual(createDailySummary(kept.since - 1))
    const whole = readFileSync(path, 'utf8')
    for (const damaged of [
      '',
      '{',
      'null',
      '[]',
      whole.slice(0, 40),
      whole.replace('"quotedMs":0', '"quotedMs":"x"'),
    ]) {
      writeFileSync(path, damaged)
      expect(file.read(NOON)).toEqual(createDailySummary(NOON))
    }
  })

  test('a file of 0.1.0 keeps its PnL under the names of today', async () => {
    const path = join(folder, 'older.json')
    const file = summaryFile(path)
    const kept = book()
    await file.write(kept)
    const older = readFileSync(path, 'utf8')
      .replaceAll('"spreadCapture"', '"postedSpread"')
      .replaceAll('"unreconciled"', '"unexplained"')
      .replace('"treasuryCosts":null,', '')
    writeFileSync(path, older)
    expect(older).toContain('"postedSpread"')
    expect(older).not.toContain('treasuryCosts')
    expect(file.read(NOON)).toEqual(kept)
  })

  test('is replaced as a whole: a half-written one beside it is not read', async () => {
    const path = join(folder, 'other.json')
    const file = summaryFile(path)
    await file.write(book())
    writeFileSync(`${path}.part`, '{"since":')
    expect(file.read(NOON)).toEqual(book())
    await file.write(book({ quotedMs: 7 }))
    expect(file.read(NOON).quotedMs).toBe(7)
  })

  test('that cannot be written says so and throws nothing at who reads', async () => {
    const file = summaryFile(join(folder, 'no', 'such', 'folder.json'))
    await expect(file.write(book())).rejects.toThrow('ENOENT')
    expect(file.read(NOON)).toEqual(createDailySummary(NOON))
  })

  test('codes are counted up to a bound', () => {
    const one = createDailySummary(0)
    for (let i = 0; i < 1_000; i += 1) countIncident(one, exampleNotice({ code: `code-${i}` }))
    expect(Object.keys(one.incidents)).toHaveLength(100)
  })
})
