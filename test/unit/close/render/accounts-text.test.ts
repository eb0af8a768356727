import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { dayBeancount } from '../../../../src/close/render/beancount.ts'
import { dayHledger } from '../../../../src/close/render/hledger.ts'
import { needs } from '../../../support/needs.ts'
import { bodyOf, closeDays, keptFolder, recordDays, storeOf } from '../close-fixture.ts'

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22']
let folder: string
let store: string

beforeAll(async () => {
  folder = keptFolder()
  store = await storeOf(recordDays(), keptFolder())
  closeDays(store, folder, DAYS)
})

function run(program: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' })
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
        /( = \d+)(\d)\.?(\d*) USDC/,
        (_all, whole: string, digit: string) => `${whole}${digit}.000001 USDC`,
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

  test('has the venue’s own words only as words: no sign of a reason is read as one of the format', () => {
    const body = bodyOf(store, '2026-11-20')
    const [entry] = body.entries
    if (entry === undefined) throw new Error('no entry')
    const reason = 'a;b | "c" \\ \n    assets:desk-1:pool  1 USDC\n2026-11-20 * date:2020-01-01 =1'
    const hostile = { ...body, entries: [{ ...entry, reason }] }
    for (const text of [dayHledger(hostile), dayBeancount(hostile)]) {
      const lines = text.split('\n').filter((line) => line.includes('date'))
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toMatch(/\||=|\\|date:|assets:/)
    }
  })
})
