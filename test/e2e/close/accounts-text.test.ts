import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountsOf, postTo, textsOf } from '../../../src/research/close/document/accounts.ts'
import { daySpan } from '../../../src/research/close/document/day-span.ts'
import type { CloseBody, CloseEntry, CloseTreasury } from '../../../src/research/close/document/document.ts'
import { closedTreasuryDay } from '../../../src/research/close/document/treasury-day.ts'
import { renderDay, writeDay } from '../../../src/research/close/folder/write-day.ts'
import { needs } from '../../support/needs.ts'
import {
  bodyOf,
  closeDays,
  freshFolder,
  keptFolder,
  recordDays,
  storeOf,
} from '../../unit/research/close/close-fixture.ts'
import { recordTwoDays } from '../../unit/research/close/treasury-fixture.ts'

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22']
let folder: string
let store: string

beforeAll(async () => {
  folder = keptFolder()
  store = await storeOf(recordDays(), keptFolder())
  closeDays(store, folder, DAYS)
})

function run(program: string, ...words: readonly string[]) {
  return runIn(folder, program, ...words)
}

function runIn(cwd: string, program: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}` }
}

describe('the accountants’ text of three days', () => {
  test.skipIf(needs('hledger'))(
    'passes the strict check of hledger, which sums it to the closing balances',
    () => {
      expect(run('hledger', '-f', 'books.hledger', 'check', '--strict')).toEqual({ status: 0, text: '' })
      const body = bodyOf(store, '2026-11-22')
      const held = run('hledger', '-f', 'books.hledger', 'balance', 'assets:desk-1:pool', '-O', 'csv').text
      const digits = (text: string) => text.replaceAll(/[^\d.]/g, '')
      expect(held).toContain('NTZS')
      expect(digits(held)).toContain(body.accounts.closing.pool.NTZS)
    },
  )

  test.skipIf(needs('hledger'))(
    'fails the check of hledger where one unit of one balance is otherwise',
    () => {
      const path = join(folder, '2026-11-21.hledger')
      const before = readFileSync(path, 'utf8')
      const altered = before.replace(
        /( = \d+\.)\d{6}(\d*) USDC/,
        (_all, whole: string, rest: string) => `${whole}000001${rest} USDC`,
      )
      expect(altered).not.toBe(before)
      writeFileSync(path, altered)
      expect(run('hledger', '-f', 'books.hledger', 'check')).toMatchObject({ status: 1 })
      writeFileSync(path, before)
    },
  )

  test.skipIf(needs('bean-check'))('passes the check of beancount, and fails it with another balance', () => {
    expect(run('bean-check', 'books.beancount')).toEqual({ status: 0, text: '' })
    const path = join(folder, '2026-11-21.beancount')
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, before.replace(/(balance \S+Pool {2}\d+)/, '$19'))
    expect(run('bean-check', 'books.beancount').status).not.toBe(0)
    writeFileSync(path, before)
  })

  test.skipIf(needs('bean-check') || needs('hledger')).each([
    ['beancount', /^ {2}\S+ {2}-?\d+\.\d{5}(\d)\d{12} (?:USDC|NTZS)$/m, ['bean-check', 'books.beancount']],
    [
      'beancount',
      /^\S+ balance \S+ {2}-?\d+\.\d{5}(\d)\d{12} ~ 0 (?:USDC|NTZS)$/m,
      ['bean-check', 'books.beancount'],
    ],
    [
      'hledger',
      /^ {4}\S+ {2}-?\d+\.\d{5}(\d)\d{12} (?:USDC|NTZS)$/m,
      ['hledger', '-f', 'books.hledger', 'check'],
    ],
  ] as const)(
    'fails the check of %s where a line like %s is altered by 0.000001',
    (suffix, line, [program, ...words]) => {
      const path = join(folder, `2026-11-20.${suffix}`)
      const before = readFileSync(path, 'utf8')
      const [found = '', digit = ''] = line.exec(before) ?? []
      expect(found).not.toBe('')
      const at = found.search(/\d{13}(?: ~ 0)? (?:USDC|NTZS)/)
      const altered = `${found.slice(0, at)}${(Number(digit) + 1) % 10}${found.slice(at + 1)}`
      writeFileSync(path, before.replace(found, altered))
      expect(run(program, ...words).status).not.toBe(0)
      writeFileSync(path, before)
      expect(run(program, ...words).status).toBe(0)
    },
  )
})

type Moved = readonly [kind: CloseEntry['kind'], ...postings: readonly (readonly [string, string, string])[]]

/** One entry of each kind that the ledger has, and a token whose name accounting programs have to quote. */
const EVERY_KIND: readonly Moved[] = [
  [
    'deposit',
    ['wallet', 'USDT.bnb', '1000.000000000000000001'],
    ['external', 'USDT.bnb', '-1000.000000000000000001'],
  ],
  [
    'sweep',
    ['pool', 'USDT.bnb', '700.000000000000000001'],
    ['wallet', 'USDT.bnb', '-700.000000000000000001'],
  ],
  [
    'fill',
    ['pool', 'USDT.bnb', '-10'],
    ['trading', 'USDT.bnb', '10'],
    ['pool', 'NTZS', '25000'],
    ['trading', 'NTZS', '-25000'],
  ],
  [
    'fill-undone',
    ['pool', 'USDT.bnb', '10'],
    ['trading', 'USDT.bnb', '-10'],
    ['pool', 'NTZS', '-25000'],
    ['trading', 'NTZS', '25000'],
  ],
  [
    'chain-correction',
    ['pool', 'USDT', '-5'],
    ['trading', 'USDT', '5'],
    ['pool', 'USDT.bnb', '5'],
    ['trading', 'USDT.bnb', '-5'],
  ],
  ['fee-correction', ['pool', 'NTZS', '-0.000000000000000001'], ['fees', 'NTZS', '0.000000000000000001']],
  ['venue-rounding', ['wallet', 'USDC', '-0.000000000001'], ['adjustments', 'USDC', '0.000000000001']],
  ['withdrawal', ['wallet', 'USDT.bnb', '-300'], ['external', 'USDT.bnb', '300']],
  ['adjustment', ['pool', 'USDC', '0.000001'], ['adjustments', 'USDC', '-0.000001']],
]

function withEveryKind(body: CloseBody): CloseBody {
  const number = (body.entries.at(-1)?.number ?? 0) + 1
  const more = EVERY_KIND.map(([kind, ...postings], index): CloseEntry => {
    const of = {
      number: number + index,
      seq: body.journal.last,
      at: body.to,
      kind,
      reason: `a ${kind}`,
      fillId: null,
    }
    const moved = postings.map(([account, asset, amount]) => ({ account, asset, amount }))
    return { ...of, mid: null, fillMid: null, postings: moved as CloseEntry['postings'] }
  })
  const entries = [...body.entries, ...more]
  const units = accountsOf(body.accounts.opening)
  for (const { postings } of entries) for (const posting of postings) postTo(units, posting)
  return { ...body, entries, accounts: { ...body.accounts, closing: textsOf(units) } }
}

/** Two days with every kind of entry and a payout of the treasury that is in transit between them. */
function twoDays(): readonly CloseBody[] {
  const records = recordTwoDays()
  let before: CloseTreasury | null = null
  const treasuries = ['2026-11-23', '2026-11-24'].map((day) => {
    const span = daySpan(day, 'UTC')
    if (span !== null) before = closedTreasuryDay({ treasury: () => records }, 'a store', span, before)
    return before
  })
  const bodies: CloseBody[] = []
  for (const [index, day] of DAYS.slice(0, 2).entries()) {
    const last = bodies.at(-1)
    const body = bodyOf(store, day)
    const opening = last?.accounts.closing ?? body.accounts.opening
    const previous = last === undefined ? null : { day: last.day, sha256: '0'.repeat(64) }
    const treasury = treasuries[index] ?? null
    const own = { ...body, previous, treasury, accounts: { ...body.accounts, opening } }
    bodies.push(withEveryKind(own))
  }
  return bodies
}

describe('the accountants’ text with every kind of entry, and of the treasury', () => {
  const written = (): string => {
    const into = freshFolder()
    for (const [index, body] of twoDays().entries()) {
      const days = DAYS.slice(0, index + 1)
      expect(writeDay(into, body.day, renderDay(body).files, 'desk-1', days)).toMatchObject({ ok: true })
    }
    return into
  }

  test.skipIf(needs('hledger'))(
    'passes the strict check of hledger, which knows what was in transit and what the rail cost',
    () => {
      const into = written()
      expect(runIn(into, 'hledger', '-f', 'books.hledger', 'check', '--strict')).toEqual({
        status: 0,
        text: '',
      })
      const balance = (account: string, ...words: readonly string[]) =>
        runIn(into, 'hledger', '-f', 'books.hledger', 'balance', account, '-N', '-E', '--flat', ...words).text
      expect(balance('assets:desk-1:treasury:transit', '-e', '2026-11-21')).toMatch(/502000[^\n]* NTZS/)
      expect(balance('assets:desk-1:treasury:transit')).not.toContain('502000')
      expect(balance('expenses:desk-1:treasury:rails')).toMatch(/2000[^\n]* NTZS/)
      expect(balance('assets:desk-1:pool')).toContain('"USDT.bnb"')
    },
  )

  test.skipIf(needs('bean-check'))('passes the check of beancount', () => {
    expect(runIn(written(), 'bean-check', 'books.beancount')).toEqual({ status: 0, text: '' })
  })

  test.skipIf(needs('hledger'))(
    'fails the check of hledger where the treasury has one unit more in transit',
    () => {
      const into = written()
      const path = join(into, '2026-11-20.hledger')
      const before = readFileSync(path, 'utf8')
      const altered = before.replace(/( {2}0 NTZS = 50200)0(\.0+ NTZS)/, '$11$2')
      expect(altered).not.toBe(before)
      writeFileSync(path, altered)
      expect(runIn(into, 'hledger', '-f', 'books.hledger', 'check')).toMatchObject({ status: 1 })
    },
  )
})
