import { inspect } from 'node:util'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectGolden, goldenJson } from '../../../../support/expect-golden.ts'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { findConflicts } from '../../../../../src/daemon/config/fleet/conflicts.ts'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import { createCalendar } from '../../../../../src/daemon/runtime/position/calendar.ts'
import { cronProblem, SKIM_TIMEZONE } from '../../../../../src/daemon/config/schema/cron.ts'
import { formatProblem } from '../../../../../src/daemon/config/source/problem.ts'
import { needsRestart } from '../../../../../src/daemon/runtime/worker/needs-restart.ts'
import { ENV, folderWith, STRATEGIES, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const PARTNER_KEY = 'svc_test_c0ffee00112233'
const OLD_SECRET = 'whsec_old_0123456789'
const NEW_SECRET = 'whsec_new_0123456789'
const KEYS = { ...ENV, PARTNER_KEY, OLD_SECRET, NEW_SECRET }
const USER = '0b7c8f4e-0000-4000-8000-000000000001'

const SECTION = `treasury:
  partner: { baseUrl: 'http://127.0.0.1:8787', apiKey: !env PARTNER_KEY }
  userId: ${USER}
  lpWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  mode: live
  policy:
    bands:
      NTZS: { target: '5000000', refillBelow: '2000000', skimAbove: '9000000' }
    caps:
      - { route: payout, destination: house, perDay: { NTZS: '2000000', USDC: '100.5' } }
      - { perMonth: { NTZS: '60000000' } }
    profitsTo: house
    skimCron: '0 18 * * 5'
  payees:
    - { name: house, bank: { bankCode: CRDB, accountNumber: '0150123456789' } }
    - { name: rent, phone: '0712345678', admitted: true }
  approval: { freeRefill: { NTZS: '10000000' } }
  webhooks: { secrets: [!env OLD_SECRET, !env NEW_SECRET] }
  calendar: days.yaml
`
const DAYS = `confirmedUntil: '2027-12-31'
holidays:
  - { date: '2026-01-12', name: Zanzibar Revolution Day }
  - '2026-01-01'
`

async function loadWith(section: string, days = DAYS, changes = {}) {
  const file = join(folderWith({ 'live.yaml': VALID + section, 'days.yaml': days }), 'live.yaml')
  return loadConfig(file, KEYS, { strategiesFolder: STRATEGIES, changes })
}

async function loaded(section = SECTION, changes = {}) {
  const config = await loadWith(section, DAYS, changes)
  if (!config.ok) throw new Error(config.error.map(formatProblem).join('\n'))
  return config.value
}

async function problems(section: string, days = DAYS): Promise<string> {
  const config = await loadWith(section, days)
  if (config.ok) throw new Error('the configuration was accepted')
  return config.error.map(({ path, message }) => `${path}: ${message}`).join('\n')
}

function changed(from: string, to: string): string {
  if (!SECTION.includes(from)) throw new Error(`the section has no ${from}`)
  return SECTION.replace(from, to)
}

describe('the section about the treasury', () => {
  test('is off unless it is named', async () => {
    expect((await loaded('')).treasury).toBeNull()
  })

  test('has amounts in base units, caps per token, defaults and its calendar', async () => {
    const { treasury } = await loaded()
    await expectGolden('config/treasury', goldenJson(treasury))
    expect(treasury?.webhooks?.secrets.map((one) => one.reveal())).toEqual([OLD_SECRET, NEW_SECRET])
  })

  test('shows no secret however it is printed, and plans only while the position is in a dry run', async () => {
    const config = await loaded(SECTION, { mode: 'dry-run' })
    expect(config.treasury?.core.mode).toBe('plan')
    const printed = [inspect(config, { depth: 9 }), JSON.stringify(config.treasury, bigintText)]
    printed.push(encodeJson(config.treasury?.core))
    for (const text of printed)
      for (const secret of [PARTNER_KEY, OLD_SECRET, NEW_SECRET]) expect(text).not.toContain(secret)
  })

  test.each([
    [
      "target: '5000000'",
      "target: '1000000'",
      'treasury.policy.bands.NTZS.refillBelow: not below the target',
    ],
    ["skimAbove: '9000000'", "skimAbove: '5000000'", 'treasury.policy.bands.NTZS.skimAbove: not above'],
    ['profitsTo: house', 'profitsTo: nobody', 'treasury.policy.profitsTo: no payee has this name'],
    ["'0 18 * * 5'", "'0 25 * * 5'", 'treasury.policy.skimCron: node-cron cannot run it: 25 is a invalid'],
    ["phone: '0712345678'", "phone: '12'", 'not a mobile number of Tanzania'],
    ['name: rent', 'name: house', 'two payees have one name'],
    ["phone: '0712345678', ", '', 'exactly one of bank, phone and address'],
    ['!env NEW_SECRET', 'in-plain-text', 'secret in plain text'],
    ['!env NEW_SECRET', '!env NOT_SET', 'NOT_SET is not set'],
    [USER, 'me', 'not an id of a user'],
    [
      "lpWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'",
      'lpWallet: null',
      'treasury.lpWallet: missing',
    ],
    ['http://127.0.0.1:8787', 'http://venue.example', 'treasury.partner.baseUrl: plain http away from'],
    ['days.yaml', 'absent.yaml', 'cannot be read (ENOENT)'],
    ['route: payout', 'route: carrier-pigeon', 'treasury.policy.caps[0].route'],
    ['  mode: live\n', '  mode: live\n  moode: live\n', 'moode'],
  ])('refuses %s -> %s and names what is expected', async (from, to, said) => {
    expect(await problems(changed(from, to))).toContain(said)
  })

  test.each([
    ['confirmedUntil: soon\nholidays: []\n', 'confirmedUntil: not a day'],
    ["confirmedUntil: '2027-13-45'\nholidays: []\n", 'a day that does not exist'],
    ['{', 'is not YAML'],
    ['- 1\n', 'is not a bank calendar'],
    ['', 'is not a bank calendar'],
  ])('refuses the calendar %j', async (days, said) => {
    expect(await problems(SECTION, days)).toContain(said)
  })

  test('is refused in self-custody, where no pooled capital is funded', async () => {
    expect(await problems(`rfq: { chainId: 1 }\n${SECTION}`)).toContain('rfq')
  })

  test('may change its bands, payees and approvals while running, and its key, user and secrets not', async () => {
    const before = await loaded()
    const after = async (from: string, to: string) => needsRestart(before, await loaded(changed(from, to)))
    expect(await after("target: '5000000'", "target: '6000000'")).toEqual([])
    expect(await after('profitsTo: house', 'profitsTo: rent')).toEqual([])
    expect(await after('!env OLD_SECRET, ', '')).toEqual(['treasury'])
    expect(await after('!env PARTNER_KEY', '!env OLD_SECRET')).toEqual(['treasury'])
    expect(await after('  mode: live', '  mode: plan')).toEqual(['treasury'])
  })

  test('is no other position of the process: two of one user or one port are a conflict that shows no key', async () => {
    const one = await loaded()
    const other = { ...one, core: { ...one.core, name: 'other' }, store: { ...one.store, path: './b' } }
    const found = findConflicts([one, other]).filter(({ path }) => path[0] === 'treasury')
    expect(found.map(({ path }) => path.join('.'))).toEqual(['treasury.userId', 'treasury.webhooks.port'])
    expect(found.map(({ message }) => message).join()).not.toContain(PARTNER_KEY)
  })

  test('watches the files of its secrets and its calendar', async () => {
    const folder = folderWith({ 'key.txt': PARTNER_KEY, 'days.yaml': DAYS })
    const file = join(folder, 'live.yaml')
    const section = changed('!env PARTNER_KEY', '!file key.txt')
    writeFileSync(file, VALID + section)
    const config = await loadConfig(file, KEYS, { strategiesFolder: STRATEGIES })
    if (!config.ok) throw new Error(config.error.map(formatProblem).join('\n'))
    expect(config.value.watchFiles).toEqual(
      expect.arrayContaining([join(folder, 'key.txt'), join(folder, 'days.yaml')]),
    )
  })
})

describe('a time in cron', () => {
  const problemOf = (text: string) => cronProblem(text, SKIM_TIMEZONE)

  test.each(['* * * * *', '*/15 0-6 1,15 * 1-5', '0 18 * * FRI', '59 23 31 12 7', '0 9 L * *', '0 0 29 2 *'])(
    '%s is taken, because node-cron runs it and it matches some day',
    (text) => expect(problemOf(text)).toBeNull(),
  )

  test.each([
    ['', 'fields'],
    ['* * * *', 'fields'],
    ['30 0 18 * * 5', 'fields'],
    ['@weekly', 'fields'],
    ['60 * * * *', 'node-cron'],
    ['*/0 * * * *', 'node-cron'],
    ['5/10 * * * *', 'node-cron'],
    ['0\t18 * * 5', 'node-cron'],
    ['0 0 31 2 *', 'node-cron'],
    ['0 0 31 4,6 *', 'node-cron'],
    ['0 0 L-30 2 *', 'node-cron'],
  ])('%j is refused before it runs: %s cannot take it', (text, by) => {
    expect(problemOf(text)).toMatch(new RegExp(`${by}.*; (expected five|use numbers), .+`))
  })

  test('what is taken never throws in the clock of the skim, whatever is written', () => {
    const part = fc.stringMatching(/^[0-9*,/#LWa-z-]{1,5}$/)
    const matches = createCalendar()
    fc.assert(
      fc.property(fc.array(part, { minLength: 5, maxLength: 5 }), fc.nat(), (parts, minute) => {
        const text = parts.join(' ')
        if (problemOf(text) === null) matches(text, SKIM_TIMEZONE, minute * 60_000)
      }),
      {
        numRuns: 200,
        examples: [
          [['5/10', '*', '*', '*', '*'], 0],
          [['0', '18', '*', '*', '5'], 1],
        ],
      },
    )
  })

  test('a configuration with one that node-cron cannot run is refused with its place', async () => {
    const config = await loadWith(changed("'0 18 * * 5'", "'5/10 * * * *'"))
    if (config.ok) throw new Error('the configuration was accepted')
    const [problem] = config.error
    expect(problem).toMatchObject({ path: 'treasury.policy.skimCron', column: 15 })
    expect(problem?.excerpt).toContain('5/10')
  })
})

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

describe('treasury.bankFormats', () => {
  const withFormat = (format: string) =>
    SECTION.replace('  webhooks:', `  bankFormats: { crdb: ${format} }\n  webhooks:`)
  const FORMAT = `{ delimiter: ',', decimal: '.', dates: DD/MM/YYYY, columns: { date: Date, amount: Amount } }`

  test('keeps the format of a bank with what it leaves out', async () => {
    await expectGolden(
      'config/bank-formats',
      goldenJson((await loaded(withFormat(FORMAT))).treasury?.bankFormats),
    )
  })

  test.each([
    ['DD/MM/YYYY', 'DD/MM', 'bankFormats.crdb.dates', 'not a date format'],
    ['amount: Amount', 'debit: Debit', 'columns.amount', 'both debit and credit'],
    ['amount: Amount', 'amount: A, debit: D, credit: C', 'columns.amount', 'both debit and credit'],
    ['amount: Amount', 'amount: Amount, marker: Type', 'markers', 'expected { debit: [D], credit: [C] }'],
    ['amount: Amount', 'debit: D, credit: C, marker: M', 'columns.marker', 'a marker without amount'],
    ['amount: Amount', 'amount: Amount, text: [" date"]', 'columns.ignored', 'named twice'],
  ])('refuses %s changed into %s', async (from, to, path, words) => {
    const found = await problems(withFormat(FORMAT.replace(from, to)))
    expect(found).toContain(path)
    expect(found).toContain(words)
  })
})
