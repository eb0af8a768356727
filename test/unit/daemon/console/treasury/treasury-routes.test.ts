import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { sharedOperator, type Credential } from '../../../../../src/daemon/console/auth/credentials.ts'
import {
  TREASURY_ANSWERS,
  TREASURY_ORDERS,
} from '../../../../../src/daemon/console/treasury/treasury-bodies.ts'
import type { OperatorAnswer, PositionPort } from '../../../../../src/daemon/console/position-port.ts'
import {
  PAYOUT,
  plannedLeg,
  plannedStep,
  REFILL,
  TreasuryHarness,
  TZS,
} from '../../../../support/treasury-harness.ts'
import { consoleOf, position, WITH_TOKEN } from '../console-fixture.ts'

const ID = 'a'.repeat(32)
const PEOPLE: readonly Credential[] = [
  { name: 'anna', token: 'anna-token', may: ['read', 'withdraw', 'approve'], isShared: false },
  { name: 'bertha', token: 'bertha-token', may: ['read', 'approve'], isShared: false },
  { name: 'reader', token: 'read-token', may: ['read'], isShared: false },
]
const as = (name: string, key?: string) => ({
  authorization: `Bearer ${name}-token`,
  ...(key !== undefined && { 'idempotency-key': key }),
})

/** A console before a real treasury core: only the thread between them is left out. */
async function withTreasury(
  harness = new TreasuryHarness(),
  credentials: readonly Credential[] = PEOPLE,
  changes: Partial<PositionPort> = {},
) {
  const orders: string[] = []
  const { port } = position('desk-1', {
    treasury: async () => harness.reading,
    async treasuryOrder(order, by): Promise<OperatorAnswer> {
      orders.push(order.name)
      const planned = order.name === 'payout' ? { id: ID, step: PAYOUT } : null
      const [verdict = '', ...words] = harness.order(order, by, planned).split(': ')
      return { accepted: verdict === 'yes', answer: words.join(': ') }
    },
    ...changes,
  })
  const { ask, errors, port: bound } = await consoleOf({ positions: [port], credentials })
  const post = (path: string, body: unknown, headers: Record<string, string> = as('anna')) =>
    ask(`/api/v1/treasury/${path}`, { method: 'POST', headers, body })
  return { port: bound, ask, post, harness, orders, errors }
}

const RENT = { payee: 'landlord', asset: 'NTZS', amount: '500000', why: 'rent' }

describe('GET /api/v1/treasury', () => {
  test('answers as the document describes it, with the tokens that may approve', async () => {
    const { ask, harness } = await withTreasury()
    harness.plan(ID, REFILL)
    const told = await ask('/api/v1/treasury')
    expect(told.status).toBe(200)
    const view = TREASURY_ANSWERS.view.strict().parse(told.json())
    expect(view).toMatchObject({ position: 'desk-1', approvers: ['anna', 'bertha'], schema: 1 })
    expect(view.intents[0]).toMatchObject({ id: ID, stage: 'approved', route: 'bank-deposit' })
  })

  test('shows what the listener for webhooks counted, refusals by their reason', async () => {
    const webhooks = { port: 9_465, kept: 4, repeated: 1, lost: 0, refused: { forged: 2 }, bySecret: [4, 0] }
    const harness = new TreasuryHarness()
    const { ask } = await withTreasury(harness, PEOPLE, {
      treasury: () =>
        Promise.resolve({ now: harness.now, state: harness.state, plan: null, webhooks, bankFormats: {} }),
    })
    const told = await ask('/api/v1/treasury')
    expect([told.status, told.json()['webhooks']]).toEqual([200, webhooks])
  })

  test('a position without a treasury answers 404 with what to look at', async () => {
    const { ask } = await consoleOf()
    const told = await ask('/api/v1/treasury')
    expect([told.status, told.json()['error']]).toEqual([404, 'no-treasury'])
  })

  test('a position that does not answer in time does not hold the page up', async () => {
    const { ask } = await withTreasury(new TreasuryHarness(), PEOPLE, {
      treasury: () => new Promise(() => {}),
    })
    expect((await ask('/api/v1/treasury')).status).toBe(404)
  })
})

describe('GET /api/v1/treasury/bands', () => {
  test('has the levels of each token with a band and what is counted against them', async () => {
    const band = { target: 60n * TZS, refillBelow: 20n * TZS, skimAbove: 90n * TZS }
    const harness = new TreasuryHarness({ policy: { bands: { NTZS: band } } })
    const held = { NTZS: 7n * TZS, USDC: 0n, USDT: 0n }
    harness.look({ ...harness.state.holdings!, pool: held, lpWallet: held, treasury: held })
    const { ask } = await withTreasury(harness)
    const told = await ask('/api/v1/treasury/bands')
    expect([told.status, told.json()]).toEqual([
      200,
      {
        position: 'desk-1',
        bands: [{ asset: 'NTZS', band: { target: '60', refillBelow: '20', skimAbove: '90', counted: '21' } }],
      },
    ])
    expect((await ask('/api/v1/treasury/bands?position=nobody')).status).toBe(404)
  })

  test('is empty for a position without a treasury, which is no fault', async () => {
    const { ask } = await consoleOf()
    const told = await ask('/api/v1/treasury/bands')
    expect([told.status, told.json()]).toEqual([200, { position: 'desk-1', bands: [] }])
  })
})

describe('orders to the treasury', () => {
  test('a payout that one token orders leaves only after another one has approved exactly its envelope', async () => {
    const { ask, post, harness } = await withTreasury()
    const ordered = await post('payout', RENT)
    expect([ordered.status, ordered.json()['answer']]).toEqual([
      200,
      expect.stringContaining(`${ID} is planned`),
    ])
    const view = TREASURY_ANSWERS.view.parse((await ask('/api/v1/treasury')).json())
    const envelope = view.intents[0]?.envelope.text ?? ''
    const own = await post('approve', { intent: ID, envelope })
    expect([own.status, own.json()['answer']]).toEqual([
      409,
      expect.stringContaining('anna has already approved'),
    ])
    const other = await post('approve', { intent: ID, envelope: `${envelope} ` }, as('bertha'))
    expect([other.status, other.json()['accepted']]).toEqual([409, false])
    const right = await post('approve', { intent: ID, envelope }, as('bertha'))
    expect([right.status, right.json()]).toEqual([
      200,
      { position: 'desk-1', accepted: true, answer: 'approved' },
    ])
    expect(harness.intent(ID).stage).toBe('approved')
  })

  test('a resume repeated under its key is 409 once the treasury was stopped again, and resumes nothing', async () => {
    const { post, harness } = await withTreasury(new TreasuryHarness(), [sharedOperator('anna-token')])
    await post('stop', {})
    expect((await post('resume', {}, as('anna', 'k-1'))).status).toBe(200)
    expect((await post('resume', {}, as('anna', 'k-1'))).json()).toMatchObject({ accepted: true })
    await post('stop', { reason: 'odd' })
    expect((await post('resume', {}, as('anna', 'k-1'))).status).toBe(409)
    expect(harness.state.stop?.why).toBe('odd')
  })

  test('a changed name of a payee is confirmed by a token that may approve, as exactly the name that was shown', async () => {
    const { ask, post, harness } = await withTreasury()
    harness.plan(ID, PAYOUT, { isNamed: true })
    for (const name of ['JANE DOE', 'JOHN ROE']) harness.name(ID, name)
    const view = TREASURY_ANSWERS.view.strict().parse((await ask('/api/v1/treasury')).json())
    expect(view.payees[0]?.registered).toMatchObject({ name: 'JOHN ROE', changedFrom: 'JANE DOE' })
    expect(view.intents[0]?.registered).toEqual(view.payees[0]?.registered)
    const body = { payee: 'landlord', registeredName: 'JOHN ROE', why: 'called her' }
    expect((await post('confirm-payee', body, as('read'))).status).toBe(403)
    const other = await post('confirm-payee', { ...body, registeredName: 'JANE ROE' }, as('bertha'))
    expect([other.status, other.json()['accepted']]).toEqual([409, false])
    const long = await post('confirm-payee', { ...body, registeredName: 'A'.repeat(501) }, as('bertha'))
    expect(long.status).toBe(400)
    expect((await post('confirm-payee', body, as('bertha'))).status).toBe(200)
    expect(harness.intent(ID).stage).toBe('cancelled')
  })

  test('the token that loaded the policy is refused as an approver, in the words of the core', async () => {
    const { post, harness } = await withTreasury()
    await post('payout', RENT)
    harness.state.author = 'bertha'
    const { envelope } = harness.intent(ID)
    const told = await post(
      'approve',
      { intent: ID, envelope: JSON.stringify(envelope.intent) },
      as('bertha'),
    )
    expect(told.status).toBe(409)
    expect(told.json()['answer']).toContain('bertha loaded')
  })

  test('any token may stop it, and only one that may operate resumes it', async () => {
    const { post, harness } = await withTreasury(new TreasuryHarness(), [
      ...PEOPLE,
      { ...sharedOperator('operator-token'), name: 'operator' },
    ])
    const read = { authorization: 'Bearer read-token' }
    expect((await post('stop', { why: 'the bank called' }, read)).status).toBe(200)
    expect(harness.state.stop).toMatchObject({ by: 'reader', why: 'the bank called' })
    expect((await post('resume', {}, as('anna'))).status).toBe(403)
    expect((await post('resume', {}, as('operator'))).status).toBe(200)
    expect(harness.state.stop).toBeNull()
  })

  test.each([
    ['payout', 'bertha', 403],
    ['approve', 'read', 403],
    ['cancel', 'read', 403],
    ['confirm-balances', 'read', 403],
    ['resolve-claim', 'read', 403],
  ])('%s by %s is refused with %i before it reaches the position', async (path, who, status) => {
    const { post, orders } = await withTreasury()
    expect((await post(path, {}, as(who))).status).toBe(status)
    expect(orders).toEqual([])
  })

  test.each(TREASURY_ORDERS.map((path) => [path]))('%s without a token is refused', async (path) => {
    const { post, orders } = await withTreasury()
    expect((await post(path, {}, {})).status).toBe(401)
    expect(orders).toEqual([])
  })

  test.each([
    ['payout', { ...RENT, amount: 500_000 }],
    ['payout', { ...RENT, amount: '-1' }],
    ['payout', { ...RENT, amount: '0' }],
    ['payout', { ...RENT, amount: '1.0000000000000000001' }],
    ['payout', { ...RENT, asset: 'TZS' }],
    ['payout', { ...RENT, surprise: true }],
    ['cancel', { intent: '__proto__' }],
    ['cancel', { intent: '../etc' }],
    ['approve', { intent: ID }],
    ['approve', { intent: ID, envelope: 'x'.repeat(5_000) }],
    ['resolve-claim', { intent: ID, as: 'arrived', received: '1' }],
  ])('%s with %j is answered 400 and reaches no position', async (path, body) => {
    const { post, orders, errors } = await withTreasury()
    const told = await post(path, body)
    expect([told.status, told.json()['error']]).toEqual([400, 'bad-request'])
    expect(orders).toEqual([])
    expect(errors).toEqual([])
  })

  test('an order sent twice with one Idempotency-Key is given once', async () => {
    const { post, orders } = await withTreasury()
    const headers = as('anna', 'key-1')
    const [first, second] = [await post('payout', RENT, headers), await post('payout', RENT, headers)]
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(orders).toEqual(['payout'])
    expect((await post('payout', { ...RENT, amount: '1' }, headers)).status).toBe(422)
  })

  test('an order without an answer is reported as unknown with 503, never as refused', async () => {
    const { post } = await withTreasury(new TreasuryHarness(), PEOPLE, {
      treasuryOrder: async () => ({ accepted: false, answer: 'its outcome is unknown', exitCode: 1 }),
    })
    expect((await post('stop', {})).status).toBe(503)
  })

  test('what came back of a claim is read in the token that left, and what arrived in the one that was to arrive', async () => {
    const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
    const leg = plannedLeg({
      kind: 'swap',
      from: 'treasury',
      to: 'treasury',
      asset: 'USDC',
      amount: 100_000_000n,
      receiveAsset: 'NTZS',
      leastReceived: 250_000n * TZS,
    })
    harness.plan(ID, plannedStep([leg], { route: 'swap' }))
    harness.quote(ID, 0, { spend: 100_000_000n, receive: 250_000n * TZS })
    harness.prepare(ID, 0)
    harness.answer(ID, 0, { status: 'reconcile_required' })
    const { post } = await withTreasury(harness)
    const fine = { intent: ID, as: 'returned', received: '0.0000001', why: 'found' }
    expect((await post('resolve-claim', fine)).status).toBe(400)
    expect((await post('resolve-claim', { ...fine, received: '99.5' })).status).toBe(200)
    expect(harness.state.books.accounts['treasury']?.USDC).toBe(5_000_000_000n - 500_000n)
  })
})

describe('POST /api/v1/treasury/match', () => {
  test('a bank file is matched, with any token that may read, and changes nothing', async () => {
    const { post, harness, orders } = await withTreasury()
    harness.plan(ID, REFILL)
    harness.prepare(ID, 0)
    harness.answer(ID, 0, { status: 'waiting_for_payer', reference: 'REF-ABC123', instructions: 'pay' })
    const text = [
      'Date,Description,Debit,Credit',
      '2026-11-23,EFT REF-ABC123,40000000,',
      '2026-11-23,Unknown credit,,1500',
      ...Array.from({ length: 2_000 }, () => '2026-11-23,Charges of the month,10,'),
    ].join('\n')
    const told = await post('match', { text }, { authorization: 'Bearer read-token' })
    expect(told.status).toBe(200)
    const match = TREASURY_ANSWERS.match.strict().parse(told.json())
    expect(match).toMatchObject({ format: 'crdb', lines: 2_002 })
    expect(match.matched).toMatchObject([{ line: { line: 2 }, payment: { intent: ID, step: 1 } }])
    expect(match.exceptions[0]).toMatchObject({ kind: 'unknown', line: { amount: '1500' } })
    expect(orders).toEqual([])
  })

  test('one token sends one file at a time, and its length is bounded', async () => {
    const { post, port } = await withTreasury()
    expect((await post('match', { text: 'x'.repeat(200_001) })).status).toBe(400)
    const socket = connect(port, '127.0.0.1')
    const path = 'POST /api/v1/treasury/match HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json'
    socket.write(`${path}\r\nAuthorization: Bearer read-token\r\nContent-Length: 9\r\n\r\n{`)
    const match = () => post('match', { text: 'x' }, { authorization: 'Bearer read-token' })
    let told = await match()
    // Until the first request has arrived.
    while (told.status === 422) told = await match()
    expect([told.status, told.headers['retry-after']]).toEqual([429, '1'])
    expect((await post('match', { text: 'x' })).status).toBe(422)
    socket.destroy()
    while ((await match()).status === 429);
  })

  test('a file that is not understood is refused as a whole, with the line', async () => {
    const { post } = await withTreasury()
    const text = 'Date,Description,Debit,Credit\n2026-11-23,"EFT REF-ABC123,40000000,\n'
    const refused = await post('match', { text })
    expect([refused.status, refused.json()]).toEqual([
      422,
      { error: 'bank-file', message: 'line 2: a quote is not closed; no line of the file was used' },
    ])
  })
})

test('the shared token of http.token names the person behind it in the journal', async () => {
  const { post, harness } = await withTreasury(new TreasuryHarness(), [sharedOperator('right-token')])
  expect((await post('stop', { who: 'anna', why: 'x' }, WITH_TOKEN)).status).toBe(200)
  expect(harness.state.stop?.by).toBe('operator')
})
