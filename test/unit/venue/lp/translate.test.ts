import { describe, expect, test } from 'vitest'
import { callsWith, failureOf, read, SHILLING_ADDRESS, valueOf } from '../read-answer.ts'

const calls = callsWith()
const DATE = { date: 'Mon, 02 Mar 2026 06:00:00 GMT' }
const ASK = { from: 'USDC', to: 'NTZS', amount: 100_000_000n } as const
const BID = { from: 'NTZS', to: 'USDC', amount: 250_000n * 10n ** 18n } as const

const EMPTY_ORDER = {
  makerToken: '0x1',
  takerToken: '0x2',
  makerAmount: 1n,
  takerAmount: 1n,
  maker: '0x3',
  taker: '0x4',
  txOrigin: '0x4',
  pool: '0x0',
  expiry: 1n,
  salt: 1n,
}

describe('the account', () => {
  const account = { id: 'a', email: 'a@b.invalid', walletAddress: '0xabc', isActive: true, createdAt: 'x' }
  test.each([
    ['bare', account, false],
    ['in an envelope', { account }, true],
  ])('is read %s, which is kept for the journal', (_how, body, isWrapped) => {
    expect(valueOf(read(calls.account(), body))).toEqual({
      type: 'account',
      isActive: true,
      walletAddress: '0xabc',
      isWrapped,
    })
  })
  test('keeps for the journal what the contract does not name, and not what it names', () => {
    const body = { account: { ...account, displayName: 'Desk', constructor: 1, kycStatus: 'approved' } }
    expect(valueOf(read(calls.account(), body)).unknownFields).toBe(
      '{"displayName":"Desk","constructor":1,"kycStatus":"approved"}',
    )
  })
  test.each([
    [1, true],
    ['false', false],
  ])('may say isActive as %j', (said, isActive) => {
    expect(valueOf(read(calls.account(), { ...account, isActive: said }))).toMatchObject({ isActive })
    expect(valueOf(read(calls.activate(false), { isActive: said }))).toMatchObject({ isActive })
  })
  test('that does not state whether it is active is invalid', () => {
    expect(failureOf(read(calls.account(), { ...account, isActive: 'yes' }))).toMatchObject({
      kind: 'malformed',
      route: 'GET /account',
      status: 200,
    })
  })
})

describe('the rate', () => {
  const rate = { midRateTZS: 2568.1584, rateUpdatedAt: '2026-03-02T05:00:00.000Z', quotable: true }
  test('is exact, dated, and on the venue clock', () => {
    expect(valueOf(read(calls.rate(), rate, 200, DATE))).toEqual({
      type: 'rate',
      mid: 2_568_158_400_000_000_000_000n,
      problem: null,
      rateUpdatedAt: Date.UTC(2026, 2, 2, 5),
      quotable: true,
      venueTime: Date.UTC(2026, 2, 2, 6),
    })
  })
  test('alone has an unknown age, which is not guessed', () => {
    expect(valueOf(read(calls.rate(), { midRateTZS: 2600 }))).toEqual({
      type: 'rate',
      mid: 2_600n * 10n ** 18n,
      problem: null,
      rateUpdatedAt: null,
      quotable: null,
      venueTime: null,
    })
  })
  test.each([
    [0],
    [-2600],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ['2 600'],
    [null],
    [undefined],
    [1e21],
    [1e-9],
    [{}],
  ])('of %s is no mid and says why', (midRateTZS) => {
    const answer = valueOf(read(calls.rate(), { ...rate, midRateTZS }))
    expect(answer.mid).toBeNull()
    expect(answer.problem).toMatch(/midRateTZS/)
  })
  test.each([
    ['2568.1584', 'true', 2_568_158_400_000_000_000_000n],
    [2_568, 1, 2_568n * 10n ** 18n],
  ])('of %j, quotable %j, is read in another JSON type', (midRateTZS, quotable, mid) => {
    const answer = valueOf(read(calls.rate(), { ...rate, midRateTZS, quotable }))
    expect(answer).toMatchObject({ mid, problem: null, quotable: true })
    expect(answer.unreadable).toBeUndefined()
  })
  test.each([
    [undefined, true],
    ['about 2600', true],
    [{}, true],
    [0, false],
    [1e9, false],
  ])('of %j is unreadable: %s', (midRateTZS, isUnreadable) => {
    const { unreadable } = valueOf(read(calls.rate(), { midRateTZS }))
    expect(unreadable !== undefined && unreadable.includes('midRateTZS')).toBe(isUnreadable)
  })
  test('with a quotable that is neither true nor false is not trusted', () => {
    expect(valueOf(read(calls.rate(), { ...rate, quotable: 'maybe' }))).toMatchObject({
      mid: null,
      quotable: null,
      problem: 'quotable is neither true nor false',
    })
  })
  test.each(['yesterday', '2026-03-02', '2026-03-02T05:00:00', 1_772_000_000, '2026-99-99T05:00:00Z'])(
    'dated %s has an unknown age',
    (rateUpdatedAt) => {
      expect(valueOf(read(calls.rate(), { ...rate, rateUpdatedAt })).rateUpdatedAt).toBeNull()
    },
  )
})

describe('the balances', () => {
  test('are exact book amounts, and what is not mentioned is absent', () => {
    const body = { ntzs: '1.000000000000000001', usdc: '0.000001', wallet: { address: '0x', chain: 'base' } }
    expect(valueOf(read(calls.balances(), body))).toEqual({
      type: 'balances',
      amounts: { NTZS: 10n ** 18n + 1n, USDC: 10n ** 12n },
      source: null,
    })
  })
  test('take from positions what the named fields leave out', () => {
    const body = {
      ntzs: '5',
      usdc: '7',
      source: 'pool',
      positions: [
        { token: SHILLING_ADDRESS, symbol: 'NTZS', chain: 'base', amount: '5' },
        { token: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', amount: '3.5' },
        { symbol: 'USDT', chain: 'bnb', amount: '0.000000000000000001' },
        { symbol: 'TGBP', amount: '12' },
      ],
    }
    expect(valueOf(read(calls.balances(), body))).toMatchObject({
      type: 'balances',
      amounts: { NTZS: 5n * 10n ** 18n, USDC: 7n * 10n ** 18n, USDT: 35n * 10n ** 17n, 'USDT.bnb': 1n },
      source: 'pool',
    })
  })
  test('named twice in positions stay unknown', () => {
    const twice = { symbol: 'USDT', amount: '1' }
    const answer = valueOf(read(calls.balances(), { usdc: '1', positions: [twice, twice] }))
    expect(answer.amounts).toEqual({ USDC: 10n ** 18n })
  })
  test.each([
    [
      'too many digits',
      { ntzs: '1', usdc: `1.${'0'.repeat(18)}1` },
      /usdc: 1\.0+1 has more than 18 decimals/,
    ],
    ['a text in place of a position', { ntzs: '1', positions: ['nonsense'] }, /positions\.0/],
    ['a text in place of the positions', { ntzs: '1', positions: 'none' }, /positions/],
    ['a source that is neither', { ntzs: '1', source: 'vault' }, /source/],
    [
      'two names of one figure that disagree',
      { ntzs: '1', positions: { usdt: { amount: '1', contributed: '2' } } },
      /positions\.usdt\.amount/,
    ],
    ['an exponent', { ntzs: '1e3', usdc: '1' }, /not a plain decimal/],
    ['a bad position', { ntzs: '1', positions: [{ symbol: 'USDT', amount: '1.' }] }, /positions\.0/],
    ['nothing of ours', { wallet: {} }, /no balance/],
  ])('with %s prove nothing and are refused', (_what, body, words) => {
    const failure = failureOf(read(calls.balances(), body))
    expect(failure).toMatchObject({ kind: 'malformed', outcome: 'failed', route: 'GET /balances' })
    expect(failure.message).toMatch(words)
  })
})

describe('a quote', () => {
  const mid = 2568.1584
  const quote = { midRate: mid, spreadBps: 500, protocolFeeBps: 10 }
  test('is explained by the formula that gives its output', () => {
    const divide = (250_000 / (mid * 1.05)) * 0.999
    const multiply = (250_000 / mid) * 0.95 * 0.999
    const formula = (expectedOutput: number) =>
      valueOf(read(calls.quote(BID), { ...quote, expectedOutput })).formula
    expect(formula(divide)).toBe('divide')
    expect(formula(Number(divide.toFixed(6)))).toBe('divide')
    expect(formula(multiply)).toBe('multiply')
    expect(formula(divide * 1.001)).toBeNull()
  })
  test('at 10 bps still distinguishes the formulas', () => {
    const expectedOutput = (250_000 / mid) * 0.999 * 0.999
    expect(valueOf(read(calls.quote(BID), { ...quote, spreadBps: 10, expectedOutput })).formula).toBe(
      'multiply',
    )
  })
  test('of the ask has one formula, and claims nothing about the bid', () => {
    const expectedOutput = 100 * mid * 0.95 * 0.999
    expect(valueOf(read(calls.quote(ASK), { ...quote, expectedOutput }))).toMatchObject({
      side: 'ask',
      spreadBps: 500,
      formula: null,
      isExplained: true,
    })
    expect(valueOf(read(calls.quote(ASK), { ...quote, expectedOutput: 1 })).isExplained).toBe(false)
  })
  test('without a fee or a mid still has the spread', () => {
    expect(valueOf(read(calls.quote(ASK), { spreadBps: 42 }))).toEqual({
      type: 'quoteRead',
      side: 'ask',
      spreadBps: 42,
      mid: null,
      protocolFeeBps: null,
      formula: null,
      isExplained: false,
    })
  })
  test.each([['42 bps'], [42.5], [-1], [null], [undefined]])(
    'with a spread of %s is refused',
    (spreadBps) => {
      expect(failureOf(read(calls.quote(ASK), { ...quote, spreadBps })).kind).toBe('malformed')
    },
  )
  test('asks with plain decimals and the symbols of the LP API', () => {
    expect(calls.quote(BID)).toMatchObject({
      method: 'GET',
      path: '/api/v1/mm/quote',
      query: { fromToken: 'NTZS', toToken: 'USDC', amount: '250000' },
    })
  })
})

describe('a spread that was set', () => {
  const spread = { bidBps: 50, askBps: 60, quoteBid: true, quoteAsk: false, quotePairs: null }
  test('is the spread that the venue reports to hold, also if it differs from the request', () => {
    const body = { ...spread, askBps: 99, updatedAt: '2026-03-02T05:00:00Z' }
    expect(valueOf(read(calls.spread(spread), body)).spread).toEqual({ ...spread, askBps: 99 })
  })
  test('names its pairs, null for all of them, or is silent about them: three different things', () => {
    const { quotePairs: _, ...silent } = spread
    const answerOf = (body: object) => valueOf(read(calls.spread(spread), body))
    expect(answerOf({ ...spread, quotePairs: ['USDC'] })).toMatchObject({ namesPairs: true })
    expect(answerOf(spread)).toMatchObject({ namesPairs: true, spread: { quotePairs: null } })
    expect(answerOf(silent)).not.toHaveProperty('namesPairs')
  })
  test('may be without flags: they are not stated, and not those that were asked for', () => {
    const answer = valueOf(read(calls.spread(spread), { bidBps: '50', askBps: 60 }))
    expect(answer.spread).toEqual({ ...spread, quoteBid: null, quoteAsk: null })
  })
  test.each([
    [1, 0],
    ['true', 'false'],
  ])('may have its flags as %j and %j', (quoteBid, quoteAsk) => {
    const answer = valueOf(read(calls.spread(spread), { ...spread, quoteBid, quoteAsk }))
    expect(answer.spread).toEqual(spread)
  })
  test.each([
    ['askBps', undefined],
    ['bidBps', '5e1'],
    ['bidBps', 50.5],
    ['quoteBid', 'yes'],
    ['quoteAsk', 2],
    ['quoteAsk', [true]],
  ])('with %s of %j leaves the outcome unknown', (field, value) => {
    const failure = failureOf(read(calls.spread(spread), { ...spread, [field]: value }))
    expect(failure).toMatchObject({ kind: 'malformed', outcome: 'unknown', retriable: true })
    expect(failure.message).toContain(field)
  })
})

describe('an activation', () => {
  test('is sent by PATCH if the setting requires it', () => {
    expect(callsWith({ activateMethod: 'PATCH' }).activate(true)).toMatchObject({
      route: 'PATCH /activate',
      method: 'PATCH',
      body: { isActive: true },
    })
  })
  test('answered with 207 is partial and names what came back', () => {
    const returned = [
      'ntzs',
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      { symbol: 'USDT', chain: 'bnb' },
      'TGBP',
      7,
    ]
    const body = { isActive: true, partial: true, returned, failed: ['USDT'], error: 'could not return USDT' }
    expect(valueOf(read(calls.activate(false), body, 207))).toEqual({
      type: 'activation',
      method: 'POST',
      isActive: true,
      partial: true,
      returned: ['NTZS', 'USDC', 'USDT.bnb'],
      failed: [{ token: 'USDT', asset: 'USDT', amount: null, reason: 'could not return USDT' }],
    })
  })
  test('answered with 207 as it was measured names the token that stays, its address deciding which, and why', () => {
    const reason = 'insufficient solver balance to return in full'
    const tokenAddress = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    const returned = [
      { tokenAddress: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', symbol: 'USDT', amount: '4195.679446' },
    ]
    const failed = [{ tokenAddress, symbol: 'USDC.e', amount: '12.5', reason }]
    const body = { isActive: true, walletAddress: '0x0', returned, failed, partial: true, error: 'x' }
    expect(valueOf(read(calls.activate(false), body, 207))).toMatchObject({
      partial: true,
      returned: ['USDT'],
      amounts: { USDT: 4_195_679_446n },
      failed: [{ token: 'USDC.e', asset: 'USDC', amount: 12_500_000n, reason }],
    })
  })
  test('names the swept amounts of our tokens, and none of a token that is listed twice or with a negative or inexact amount', () => {
    const swept = [
      { symbol: 'NTZS', amount: '40000000.0' },
      { symbol: 'USDC', amount: '1' },
      { symbol: 'USDC', amount: '2' },
      { symbol: 'USDT', amount: 4000 },
      { symbol: 'USDT', chain: 'bnb', amount: '-5' },
      { symbol: 'TGBP', amount: '5' },
    ]
    const { amounts, returned } = valueOf(read(calls.activate(true), { isActive: true, swept }))
    expect([amounts, returned]).toEqual([{ NTZS: 40_000_000n * 10n ** 18n }, []])
  })
  test('refused because the wallet is empty has a separate code', () => {
    const body = { error: 'No token balance found. Please deposit nTZS or USDC first.' }
    expect(failureOf(read(calls.activate(true), body, 400))).toMatchObject({
      code: 'NOTHING_TO_SWEEP',
      outcome: 'failed',
    })
  })
  test('answered with 200 is whole', () => {
    expect(valueOf(read(calls.activate(false), { isActive: false, returned: ['NTZS'] }))).toEqual({
      type: 'activation',
      method: 'POST',
      isActive: false,
      partial: false,
      returned: ['NTZS'],
    })
  })
})

describe('a withdrawal', () => {
  const params = { asset: 'USDT.bnb', amount: 15n * 10n ** 17n, toAddress: '0x0' } as const
  test('is asked for by lower-case token, chain and decimal text', () => {
    expect(calls.withdraw(params).body).toEqual({
      token: 'usdt',
      chain: 'bnb',
      toAddress: '0x0',
      amount: '1.5',
    })
  })
  test('is done only when confirmed', () => {
    expect(valueOf(read(calls.withdraw(params), { status: 'confirmed', txHash: '0xaa' }))).toEqual({
      type: 'withdrawn',
      asset: 'USDT.bnb',
      amount: params.amount,
      txHash: '0xaa',
    })
    expect(failureOf(read(calls.withdraw(params), { status: 'pending', txHash: '0xaa' }))).toMatchObject({
      outcome: 'unknown',
      retriable: false,
    })
  })
})

describe('what the contract does not show', () => {
  test('custody has the configured body and takes any answer, also none', () => {
    expect(calls.custody(true).body).toEqual({ enabled: true })
    expect(callsWith({ custodyBody: 'selfCustody' }).custody(false).body).toEqual({ selfCustody: false })
    expect(valueOf(read(calls.custody(true), { enabled: true }))).toEqual({
      type: 'custody',
      isEnabled: true,
    })
    expect(valueOf(read(calls.custody(true), '', 204)).isEnabled).toBeNull()
  })
  const solver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  test.each(['solverWallet', 'solver', 'solverAddress', 'taker'])('the solver is found as %s', (name) => {
    expect(valueOf(read(calls.rfqInfo(), { [name]: solver }))).toEqual({
      type: 'solver',
      solverWallet: solver,
      chainId: null,
      exchange: null,
    })
  })
  test('two solvers that contradict each other are an error, not a choice', () => {
    const other = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    expect(failureOf(read(calls.rfqInfo(), { solver, taker: other })).message).toMatch(/solver: .* and taker/)
    expect(
      valueOf(read(calls.rfqInfo(), { solver, taker: solver.toLowerCase() })).solverWallet,
    ).not.toBeNull()
  })
  test.each<[number, object | string, string]>([
    [409, { error: 'Enable self-custody before submitting orders' }, 'NOT_SELF_CUSTODY'],
    [409, '', 'NOT_SELF_CUSTODY'],
    [409, { error: 'The order is gone', orderStatus: 'CANCELLED' }, 'ORDER_NOT_FILLABLE'],
    [409, { code: 'pooled_capital_active', error: 'Deactivate first' }, 'pooled_capital_active'],
    [400, { error: 'makerAmount: not a number' }, 'BAD_ORDER'],
    [400, { code: 'WRONG_TAKER', error: 'no' }, 'WRONG_TAKER'],
    [404, {}, 'NOT_FOUND'],
    [503, {}, 'SERVER'],
  ])('a refusal of an order with status %i and body %j is %s', (status, body, code) => {
    const order = { ...EMPTY_ORDER }
    const signature = { signatureType: 2, v: 27, r: '0x5', s: '0x6' }
    expect(failureOf(read(calls.rfqOrder({ order, signature }), body, status)).code).toBe(code)
  })
  test('an order is sent with its integers as decimal text', () => {
    const order = {
      makerToken: '0x1',
      takerToken: '0x2',
      makerAmount: 2n ** 100n,
      takerAmount: 1n,
      maker: '0x3',
      taker: '0x4',
      txOrigin: '0x4',
      pool: '0x0',
      expiry: 1_800_000_000n,
      salt: 2n ** 200n,
    }
    const signature = { signatureType: 2, v: 27, r: '0x5', s: '0x6' }
    const call = callsWith({ rfqOrderPath: '/orders' }).rfqOrder({ order, signature })
    expect(call.path).toBe('/api/v1/mm/orders')
    expect(call.body).toEqual({
      order: {
        ...order,
        makerAmount: (2n ** 100n).toString(),
        takerAmount: '1',
        expiry: '1800000000',
        salt: (2n ** 200n).toString(),
      },
      signature,
    })
  })
})

describe('the public rate', () => {
  const params = { side: 'bid', probe: 250_000n * 10n ** 18n } as const
  test('asks by the public name of the shilling', () => {
    expect(calls.swapRate(params)).toMatchObject({
      isPublic: true,
      path: '/api/v1/swap/rate',
      query: { from: 'TZS_TOKEN', to: 'USDC', amount: '250000' },
    })
    const observed = callsWith({ shillingSymbol: 'NTZS' })
    expect(observed.swapRate({ side: 'ask', probe: 1_500_000n }).query).toEqual({
      from: 'USDC',
      to: 'NTZS',
      amount: '1.5',
    })
  })
  test('of USDT is asked for and answered by that name', () => {
    const ofUsdt = { side: 'ask', probe: 1_500_000n, stable: 'USDT' } as const
    const call = calls.swapRate(ofUsdt)
    expect(call.query).toEqual({ from: 'USDT', to: 'TZS_TOKEN', amount: '1.5' })
    expect(valueOf(read(call, { midRate: 2600, askBps: 70 }))).toMatchObject(ofUsdt)
    expect(calls.swapRate({ ...ofUsdt, side: 'bid' }).query).toMatchObject({ from: 'TZS_TOKEN', to: 'USDT' })
  })
  test('is the spread of the side that was asked for', () => {
    const body = {
      midRate: 2600,
      bidBps: 61,
      askBps: 70,
      spreadBps: 61,
      protocolFeeBps: 10,
      lowLiquidity: false,
    }
    expect(valueOf(read(calls.swapRate(params), body))).toEqual({
      type: 'bestQuote',
      ...params,
      mid: 2_600n * 10n ** 18n,
      bestBps: 61,
      picked: { bidBps: 61, askBps: 70 },
      protocolFeeBps: 10,
      lowLiquidity: false,
    })
    expect(valueOf(read(calls.swapRate(params), { ...body, spreadBps: undefined })).bestBps).toBe(61)
    expect(valueOf(read(calls.swapRate(params), { ...body, askBps: null })).picked).toBeUndefined()
  })
  test('of a pair without quotes is an answer without a best quote', () => {
    expect(
      valueOf(read(calls.swapRate(params), { error: 'no_active_pair', message: 'x' }, 404)).bestBps,
    ).toBeNull()
    expect(failureOf(read(calls.swapRate(params), '<html>not found</html>', 404)).kind).toBe('refused')
  })
})

describe('what the contract does not name', () => {
  const unknownOf = (body: object) =>
    valueOf(read(calls.account(), { isActive: true, ...body })).unknownFields
  test('stays whole JSON at any length: long values are cut, and fields beyond the length are left out', () => {
    const long = unknownOf({ note: 'x'.repeat(5_000), after: { deep: [1] } })
    const kept = JSON.parse(long ?? '') as { readonly note: string; readonly after: object }
    expect(kept.note).toMatch(/^"x{299}\.\.\.$/)
    expect(kept.after).toEqual({ deep: [1] })
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field${n}`, 'y'.repeat(50)]))
    const some = unknownOf(many) ?? ''
    expect(some.length).toBeLessThan(2_050)
    const { '(more)': more, ...first } = JSON.parse(some) as Readonly<Record<string, unknown>>
    expect(Object.keys(first).length).toBeGreaterThan(20)
    expect(more).toBe(500 - Object.keys(first).length)
  })

  test('is kept of balances also where it is read: only some implementations have it', () => {
    const body = { ntzs: '1', usdc: '2', source: 'pool', positions: [{ symbol: 'USDT', amount: '3' }] }
    const answer = valueOf(read(calls.balances(), body))
    expect(JSON.parse(answer.unknownFields ?? '')).toEqual({
      source: 'pool',
      positions: [{ symbol: 'USDT', amount: '3' }],
    })
    expect(valueOf(read(calls.balances(), { ntzs: '1', usdc: '2', usdt: null }))).not.toHaveProperty(
      'unknownFields',
    )
  })
})
