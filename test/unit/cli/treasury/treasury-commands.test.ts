import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandLine } from '../../../../src/cli/options.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { encodeJson } from '../../../../src/base/codec.ts'
import { err } from '../../../../src/base/result.ts'
import { approveIntent, orderTreasury, questionOf } from '../../../../src/cli/treasury/order.ts'
import { registerTreasuryCommands } from '../../../../src/cli/treasury/register.ts'
import { bankFormat } from '../../../../src/cli/treasury/bank-format.ts'
import { matchFile, readBankText, showTreasury, type ShownPart } from '../../../../src/cli/treasury/show.ts'
import { statement } from '../../../../src/cli/treasury/statement.ts'
import { sharedOperator } from '../../../../src/daemon/console/auth/credentials.ts'
import type { WebhooksView } from '../../../../src/daemon/view/treasury-reading.ts'
import { buildTreasuryView } from '../../../../src/daemon/view/treasury-view.ts'
import { PAYOUT, REFILL, TreasuryHarness, TZS, PAYOUT_ORDER } from '../../../support/treasury-harness.ts'
import { ENV, folderWith } from '../../daemon/config/config-fixture.ts'
import { consoleOf, position } from '../../daemon/console/console-fixture.ts'
import { openHere } from '../../store/store-fixture.ts'
import { valueOf } from '../../venue/read-answer.ts'

const ID = 'a'.repeat(32)
const REASON = { reason: 'a test' }

let printed = { out: '', error: '' }
beforeEach(() => {
  printed = { out: '', error: '' }
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((printed.out += String(text))))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((printed.error += String(text))))
  for (const [name, value] of Object.entries(ENV)) vi.stubEnv(name, value)
  process.exitCode = undefined
})
afterEach(() => {
  process.exitCode = undefined
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** The strategy has no file: these commands never look at it. */
function configAt(
  port: number,
  more: readonly string[] = [],
): { readonly config: string; readonly folder: string } {
  const folder = folderWith({})
  const lines = [
    'name: desk-1',
    'mode: live',
    'venue: { baseUrl: "http://127.0.0.1:8787", apiKey: !env MIZANI_API_KEY }',
    'strategy: { use: no-such-strategy, params: {} }',
    `store: { path: ${join(folder, 'data')} }`,
    `http: { host: 127.0.0.1, port: ${port}, token: !env MIZANI_HTTP_TOKEN }`,
    ...more,
  ]
  writeFileSync(join(folder, 'live.yaml'), lines.join('\n'))
  return { config: join(folder, 'live.yaml'), folder }
}

/** A daemon's HTTP server before a real treasury core. */
async function withDaemon(
  harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } }),
  webhooks: WebhooksView | null = null,
) {
  const { port: desk } = position('desk-1', {
    treasury: async () => ({ ...harness.reading, webhooks, bankFormats: {} }),
    async treasuryOrder(order, by) {
      const planned = order.name === 'payout' ? { id: ID, step: PAYOUT } : null
      const [verdict = '', ...words] = harness.order(order, by, planned).split(': ')
      return { accepted: verdict === 'yes', answer: words.join(': ') }
    },
  })
  const { port } = await consoleOf({
    positions: [desk],
    credentials: [sharedOperator(ENV.MIZANI_HTTP_TOKEN)],
    answerWithinMs: 2_000,
  })
  return { harness, ...configAt(port) }
}

/** The store that a treasury left, whose daemon is not running. */
async function withStore(harness: TreasuryHarness, more: readonly string[] = []) {
  const { config, folder } = configAt(1, more)
  const store = valueOf(await openHere(join(folder, 'data')))
  harness.events.forEach((event, index) =>
    store.treasury.append({ seq: index + 1, t: event.t, type: event.type, body: encodeJson(event) }),
  )
  await store.close()
  return { config, folder }
}

function settledRefill(): TreasuryHarness {
  const harness = new TreasuryHarness()
  harness.plan(ID, REFILL)
  harness.prepare(ID, 0)
  harness.answer(ID, 0, { status: 'waiting_for_payer', reference: 'REF-ABC123', instructions: 'pay' })
  harness.pass(31_000)
  harness.see(ID, 0, { received: 40_000_000n * TZS })
  return harness
}

describe('what a treasury shows on the command line', () => {
  test.each<[ShownPart, string]>([
    ['status', 'one person approves'],
    ['plan', 'nothing needs to move now'],
    ['history', 'no intent has ended yet'],
    ['payees', 'bank CRDB 0150'],
    ['claims', 'no claim is open'],
  ])('%s of the running daemon has "%s"', async (part, words) => {
    const { config } = await withDaemon()
    await showTreasury(part, { config })
    expect(printed).toMatchObject({ out: expect.stringContaining(words), error: '' })
    printed.out = ''
    await showTreasury(part, { config, json: true })
    expect(JSON.parse(printed.out)).toMatchObject({ position: 'desk-1', note: null })
    expect(process.exitCode).toBeUndefined()
  })

  test('status has what the listener for webhooks counted, and each reason of a refusal', async () => {
    const counted = { port: 9_465, kept: 4, repeated: 1, lost: 0, refused: {}, bySecret: [4] }
    const { config } = await withDaemon(undefined, counted)
    await showTreasury('status', { config })
    expect(printed.out).toMatch(/webhooks +4 kept, 1 repeated +.* 9465/)
    const refused = { ...counted, lost: 2, refused: { forged: 3, stale: 1, flood: 0 } }
    const { config: attacked } = await withDaemon(undefined, refused)
    printed.out = ''
    await showTreasury('status', { config: attacked })
    expect(printed.out).toMatch(/refused: 3 forged, 1 stale +2 /)
    printed.out = ''
    await showTreasury('status', { config: attacked, json: true })
    expect(JSON.parse(printed.out)).toMatchObject({ webhooks: refused })
  })

  test('status without a daemon is that of the store, and its note has the moment', async () => {
    const { config } = await withStore(settledRefill())
    await showTreasury('status', { config })
    expect(printed.out).toContain('2026-11-23 09:00:31 UTC')
    expect(printed.out).toMatch(/NTZS +70,000,000\.00 on hand +40,000,000\.00 reserved/)
    expect(printed.out).toContain('residual 0')
  })

  test('status tells a place that no one reads from one whose reading failed', async () => {
    const harness = new TreasuryHarness()
    harness.look({ ...harness.state.holdings!, platform: null, float: null })
    harness.give({ type: 'railFailed', rail: 'float', words: 'HTTP 503' })
    const { config } = await withDaemon(harness)
    await showTreasury('status', { config })
    expect(printed.out).toMatch(/platform +not read$/m)
    expect(printed.out).toMatch(/float +could not be /m)
  })

  test('plan reports that no flow is recorded yet', async () => {
    const { config } = await withDaemon()
    await showTreasury('plan', { config })
    expect(printed.out).toContain('no flow recorded')
    expect(printed.out).not.toContain('from none')
  })

  test('without a store the command fails with what to do', async () => {
    await showTreasury('status', configAt(1))
    expect([process.exitCode, printed.error]).toEqual([1, expect.stringContaining('start the daemon')])
  })

  test('claims show the exact body, the key and the timeline of every try', async () => {
    const { harness, config } = await withDaemon()
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS })
    harness.prepare(ID, 0)
    harness.answer(ID, 0, { status: 'reconcile_required' })
    harness.look()
    await showTreasury('claims', { config })
    expect(printed.out.replaceAll(/\s+/g, ' ')).toContain(
      `resolve-claim --intent ${ID} --as returned --received 503000 --reason`,
    )
    for (const words of [ID, 'key key-1', '{"key":"key-1"', 'resource resource-0', 'approved by anna'])
      expect(printed.out).toContain(words)
  })
})

describe('orders on the command line', () => {
  test('an approval shows the envelope, asks, and without a terminal and --yes sends nothing', async () => {
    const harness = new TreasuryHarness()
    const { config } = await withDaemon(harness)
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    await approveIntent({ config, ...REASON, intent: 'aaaa' })
    expect([process.exitCode, harness.intent(ID).stage]).toEqual([2, 'awaiting_approval'])
    await approveIntent({ config, ...REASON, intent: 'aaaa', yes: true })
    expect(printed.out).toContain('desk-1: approved')
    expect(harness.intent(ID).stage).toBe('approved')
    expect(harness.intent(ID).approvals.map(({ by }) => by)).toEqual(['anna', 'operator'])
  })

  test('a registered name is in plan, status, payees and the question, and a changed one is confirmed by a command', async () => {
    const harness = new TreasuryHarness()
    const { config } = await withDaemon(harness)
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT, isNamed: true })
    const [intent] = buildTreasuryView(harness.state, null, harness.now).intents
    expect(questionOf(intent!)).toContain('(the registered name')
    harness.name(ID, 'JANE DOE')
    for (const part of ['status', 'payees'] as const) await showTreasury(part, { config })
    expect(printed.out.match(/registered as “JANE DOE”/g)).toHaveLength(2)
    harness.name(ID, 'JOHN ROE')
    await approveIntent({ config, ...REASON, intent: 'aaaa', yes: true })
    expect([process.exitCode, printed.error]).toEqual([3, expect.stringContaining('confirm the payee')])
    process.exitCode = undefined
    const other = { config, ...REASON, payee: 'landlord', name: 'JOHN ROE' }
    await orderTreasury('confirm-payee', other)
    expect(printed.out).toContain('a new payee')
    expect(process.exitCode).toBeUndefined()
  })

  test('an approval of what is not there is refused with exit code 3', async () => {
    const { config } = await withDaemon()
    await approveIntent({ config, ...REASON, intent: 'f00', yes: true })
    expect([process.exitCode, printed.error]).toEqual([3, expect.stringContaining('open intent f00')])
  })

  test('a stop is given without a question, and a refusal by the core has exit code 3 and its sentence', async () => {
    const { config, harness } = await withDaemon()
    await orderTreasury('stop', { config, ...REASON })
    expect(harness.state.stop?.why).toBe('a test')
    await orderTreasury('cancel', { config, ...REASON, intent: ID })
    expect([process.exitCode, printed.error]).toEqual([3, expect.stringContaining(`no intent ${ID}`)])
  })

  test('a payout is ordered with --yes, and reads the amount exactly', async () => {
    const { config, harness } = await withDaemon()
    const payout = { config, ...REASON, payee: 'landlord', token: 'NTZS', amount: '500000', yes: true }
    await orderTreasury('payout', payout)
    expect(printed.out).toContain('is planned')
    expect(harness.intent(ID).orderedBy).toBe('operator')
    await orderTreasury('payout', { ...payout, amount: '5e5' })
    expect(process.exitCode).toBe(2)
  })

  test('a daemon without a treasury refuses in words, and nothing claims that none runs', async () => {
    const { port } = await consoleOf({ credentials: [sharedOperator(ENV.MIZANI_HTTP_TOKEN)] })
    await orderTreasury('stop', { ...configAt(port), ...REASON })
    expect([process.exitCode, printed.error]).toEqual([3, expect.stringContaining('no treasury')])
  })

  test('without a daemon no order is given', async () => {
    await orderTreasury('stop', { ...configAt(1), ...REASON })
    expect([process.exitCode, printed.error]).toEqual([3, expect.stringContaining('nothing is sent')])
  })
})

describe('the id of an intent on the command line', () => {
  const run = (...words: string[]) => {
    const program = new CommandLine().exitOverride()
    registerTreasuryCommands(program)
    return program.parseAsync(['treasury', ...words], { from: 'user' })
  }

  test.each([
    ['hold', [ID], 'held'],
    ['hold', ['--intent', ID], 'held'],
    ['hold', [ID, '--intent', ID], 'held'],
    ['cancel', [ID], 'cancelled'],
    ['cancel', ['--intent', ID], 'cancelled'],
    ['approve', ['aaaa', '--yes'], 'approved'],
    ['approve', ['--intent', 'aaaa', '--yes'], 'approved'],
  ] as const)('%s takes it as %j', async (name, given, stage) => {
    const { config, harness } = await withDaemon(new TreasuryHarness())
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    await run(name, ...given, '--config', config)
    expect(printed.error).toBe('')
    expect(harness.intent(ID).stage).toBe(stage)
  })

  test.each(['approve', 'cancel', 'hold'])(
    '%s without one, or with two, is an error of usage',
    async (name) => {
      const { config } = configAt(1)
      await expect(run(name, '--config', config)).rejects.toMatchObject({ exitCode: 1 })
      expect(printed.error).toContain("required option '--intent <id>' not specified, nor")
      await expect(run(name, ID, '--intent', 'b'.repeat(32), '--config', config)).rejects.toThrow(
        'two intents',
      )
    },
  )
})

describe('the month of a treasury', () => {
  test('is tied with residual 0, and written as CSV, HTML and beancount', async () => {
    const harness = settledRefill()
    harness.look({
      ...harness.state.holdings!,
      treasury: { NTZS: 100_000_000n * TZS, USDC: 5_000_000_000n, USDT: 0n },
    })
    const { config, folder } = await withStore(harness)
    const file = (name: string) => join(folder, name)
    const files = { csv: file('m.csv'), html: file('m.html'), beancount: file('m.beancount') }
    await statement('2026-11', { config, ...files })
    expect(printed.error).toBe('')
    expect(printed.out).toContain('Treasury, 2026-11')
    expect(printed.out).toContain('residual 0')
    expect(printed.out).toMatch(/of movements: [0-9a-f]{64}/)
    expect(process.exitCode).toBeUndefined()
    expect(readFileSync(files.csv, 'utf8')).toContain('kind,time (EAT),account')
    expect(readFileSync(files.beancount, 'utf8')).toContain('open Assets:Treasury')
    const page = readFileSync(files.html, 'utf8')
    expect(page).toContain('Residual 0')
    expect(page).not.toContain('<script')
  })

  test('is refused with exit code 2 where it is no month', async () => {
    const { config } = await withStore(settledRefill())
    await statement('November', { config })
    expect([process.exitCode, printed.error]).toEqual([2, expect.stringContaining('2026-11')])
  })
})

const BANK_CSV = 'Date,Description,Debit,Credit\n2026-11-23,EFT REF-ABC123,39999000,\n'

/** A treasury whose configuration has the format that `bank-format` printed for BANK_CSV. */
async function withBankFormat() {
  const file = join(folderWith({ 'bank.csv': BANK_CSV }), 'bank.csv')
  await bankFormat(file, { name: 'crdb' })
  expect(printed.out).toMatch(/1 of 1 lines.*\n\nline .*\n +2 +2026-11-23 +-39,999,000\.00 .*EFT REF-ABC123/)
  const [formats = ''] = /treasury:\n[^]*?\n\n/.exec(printed.out) ?? []
  printed.out = ''
  const section = [
    formats.trimEnd(),
    "  partner: { baseUrl: 'http://127.0.0.1:8787', apiKey: !env MIZANI_API_KEY }",
    '  userId: 0b7c8f4e-0000-4000-8000-000000000001',
    "  lpWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'",
  ]
  return { ...(await withStore(settledRefill(), section)), file }
}

describe('a bank file on the command line', () => {
  test('is matched by the proposed format, and something short has exit code 1', async () => {
    const { config, file } = await withBankFormat()
    await matchFile(file, { config })
    expect([process.exitCode, printed.out]).toEqual([1, expect.stringContaining('short')])
    printed.out = ''
    process.exitCode = undefined
    writeFileSync(file, `${BANK_CSV.replace('39999000', '40000000')}Total,,,\n`)
    await matchFile(file, { config, json: true })
    const leftOut = [{ line: 3, message: 'it has neither a date nor an amount' }]
    const matched = [{ payment: { intent: ID } }]
    expect(JSON.parse(printed.out)).toMatchObject({ format: 'crdb', matched, exceptions: [], leftOut })
    expect(process.exitCode).toBeUndefined()
  })

  test('that is refused gives no line to the match and to the statement, and has exit code 1', async () => {
    const { config, file } = await withBankFormat()
    writeFileSync(file, `${BANK_CSV}2026-11-24,"EFT REF-ABC124,5,\n`)
    const why = `${file}, line 3: a quote is not closed; no line of the file was used`
    for (const use of [
      () => matchFile(file, { config }),
      () => statement('2026-11', { config, bank: file }),
    ]) {
      printed = { out: '', error: '' }
      await use()
      expect(printed).toEqual({ out: '', error: expect.stringContaining(why) })
      expect(process.exitCode).toBe(1)
    }
  })

  test('is tied to the books of the month', async () => {
    const { config, file } = await withBankFormat()
    await statement('2026-11', { config, bank: file, json: true })
    const { ties } = JSON.parse(printed.out) as { ties: readonly { with: string; theirs: unknown }[] }
    expect(ties.find((tie) => tie.with === 'bank')?.theirs).toEqual({ $n: String(-39_999_000n * TZS) })
  })

  test('without a format in the configuration is refused with the command that proposes one', async () => {
    const { config, folder } = await withStore(settledRefill())
    const file = join(folder, 'november.csv')
    writeFileSync(file, BANK_CSV)
    await matchFile(file, { config })
    expect([process.exitCode, printed.error]).toEqual([1, expect.stringContaining('bank-format FILE')])
  })

  test('of MT940 needs no format, and its rows are shown', async () => {
    const text = ':20:S\n:25:1\n:60F:C261109TZS5,\n:61:261110D1,NTRFSVC-AAAA11\n:62F:C261110TZS4,\n-\n'
    await bankFormat(join(folderWith({ 'bank.sta': text }), 'bank.sta'), { name: 'x', json: true })
    expect(JSON.parse(printed.out)).toMatchObject({ format: null, rows: [{ line: 4, amount: '-1' }] })
  })

  test('that is not there is an error of usage', async () => {
    const { config } = await withStore(settledRefill())
    await matchFile('/nowhere/bank.csv', { config })
    expect([process.exitCode, printed.error]).toEqual([2, expect.stringContaining('cannot be read')])
  })
})

test('a file without an end is refused before it fills the memory', async () => {
  expect(await readBankText('/dev/zero')).toEqual(err('/dev/zero is larger than 20 MB'))
})
