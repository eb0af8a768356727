import { describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../../src/base/time.ts'
import { ASSETS } from '../../../../src/base/money/asset.ts'
import { parseRate, RATE_ONE } from '../../../../src/base/money/rate.ts'
import { createVenueModel } from '../../../../src/simulator/sandbox/model.ts'
import { modelClient } from './model-client.ts'
import { rival, scriptedWorld, START } from './scripted-world.ts'

const DOLLAR = 10n ** 6n
const SHILLING = 10n ** 18n

describe('a fill', () => {
  test('at the ask pays mid less the spread less the fee, and debits the position the gross payout', () => {
    const { model, goLive } = modelClient()
    goLive(100, 100)
    const before = model.book().ours
    const done = model.swap({ from: 'USDC', to: 'NTZS', amountIn: 100n * DOLLAR })
    const gross = 247_500n * SHILLING
    expect(done).toMatchObject({
      ok: true,
      value: { amountOut: (gross * 9_990n) / 10_000n, fee: gross / 1_000n, debit: gross },
    })
    const after = model.book().ours
    expect(after.pool.USDC - before.pool.USDC).toBe(100n * DOLLAR)
    expect(before.pool.NTZS - after.pool.NTZS).toBe(gross)
    expect(after.feesPaid.NTZS).toBe(gross / 1_000n)
    expect(model.book().fees.NTZS).toBe(gross / 1_000n)
  })

  test('at the bid divides by mid times one plus the spread, or multiplies where that is the formula', () => {
    const outOf = (bidFormula: 'divide' | 'multiply') => {
      const { model, goLive } = modelClient({ bidFormula, protocolFeeBps: 0 })
      goLive(500, 500)
      const done = model.swap({ from: 'NTZS', to: 'USDC', amountIn: 2_500_000n * SHILLING })
      return done.ok ? done.value.amountOut : null
    }
    expect(outOf('divide')).toBe(952_380_952n)
    expect(outOf('multiply')).toBe(950_000_000n)
  })

  test('whose fee the pool bears debits the position only what the taker got', () => {
    const { model, goLive } = modelClient({ feeFrom: 'pool' })
    goLive()
    const before = model.book().ours.pool.NTZS
    const done = model.swap({ from: 'USDC', to: 'NTZS', amountIn: 100n * DOLLAR })
    const book = model.book()
    expect(done.ok && before - book.ours.pool.NTZS === done.value.amountOut).toBe(true)
    expect(book.reserve.NTZS).toBe(-book.fees.NTZS)
    expect(book.ours.feesPaid.NTZS).toBe(0n)
  })

  test('pays exactly the floor where the implementation does that, and the rest stays with the position', () => {
    const { model, goLive } = modelClient({ paysSlippageFloor: true })
    goLive()
    const done = model.swap({ from: 'USDC', to: 'NTZS', amountIn: 100n * DOLLAR })
    const net = (247_500n * SHILLING * 9_990n) / 10_000n
    expect(done.ok && done.value.amountOut).toBe((net * 9_900n) / 10_000n)
  })

  test('that no one covers, that pays nothing or that has no shilling in it leaves every balance alone', () => {
    const { model, goLive } = modelClient()
    goLive()
    const before = model.book()
    expect(model.swap({ from: 'USDC', to: 'NTZS', amountIn: 10n ** 15n })).toEqual({
      ok: false,
      error: 'no-provider',
    })
    expect(model.swap({ from: 'NTZS', to: 'USDC', amountIn: 1n })).toEqual({ ok: false, error: 'dust' })
    expect(model.swap({ from: 'USDT', to: 'USDC', amountIn: 1n })).toEqual({ ok: false, error: 'no-pair' })
    expect(model.book()).toEqual(before)
  })

  test('of a taker in the world happens only at its spread or better', () => {
    const swap = (at: number, maxSpreadBps: number) =>
      ({
        at: START + at,
        type: 'swap',
        taker: 't',
        from: 'USDC',
        to: 'NTZS',
        amountIn: DOLLAR,
        maxSpreadBps,
      }) as const
    const { model, goLive } = modelClient({}, scriptedWorld([swap(20_000, 99), swap(21_000, 100)]))
    goLive(100, 100)
    model.advanceTo(START + 20_500)
    expect(model.book().ours.fills).toHaveLength(0)
    model.advanceTo(START + 30_000)
    expect(model.book().ours.fills).toMatchObject([{ at: START + 21_000, taker: 't', spreadBps: 100 }])
  })
})

describe('an activation', () => {
  test('takes its time, and the balances shown change from wallet to pool when it is done', () => {
    const { ask, get, model } = modelClient({ activationDelayMs: 4_000 })
    const started = ask('POST', '/activate', { isActive: true }, 0)
    expect(started).toMatchObject({
      status: 200,
      delayMs: 4_000,
      body: { isActive: true, updatedAt: new Date(START + 4_000).toISOString() },
    })
    expect(get('/account', 3_999)).toMatchObject({ isActive: false })
    expect(model.book().ours.wallet.USDC).toBe(12_000n * DOLLAR)
    expect(get('/account', 4_000)).toMatchObject({ isActive: true })
    expect(model.book().ours).toMatchObject({ pool: { USDC: 12_000n * DOLLAR }, wallet: { USDC: 0n } })
  })

  test('of an active position sweeps what has arrived in the wallet meanwhile', () => {
    const { ask, get, goLive, model } = modelClient()
    goLive()
    model.inject({ externalTransfer: { asset: 'USDC', amount: '500' } })
    expect(get('/balances')).toMatchObject({ usdc: '12000' })
    ask('POST', '/activate', { isActive: true })
    expect(get('/balances', 20_000)).toMatchObject({ usdc: '12500' })
  })

  test('backwards leaves the router at once and returns the tokens at the end', () => {
    const { ask, get, goLive, model } = modelClient()
    goLive()
    ask('POST', '/activate', { isActive: false }, 10_000)
    expect(model.swap({ from: 'USDC', to: 'NTZS', amountIn: DOLLAR })).toEqual({
      ok: false,
      error: 'no-provider',
    })
    expect(get('/account', 11_000)).toMatchObject({ isActive: true })
    expect(get('/account', 14_000)).toMatchObject({ isActive: false })
    expect(model.book().ours).toMatchObject({ pool: { NTZS: 0n }, wallet: { NTZS: 40_000_000n * SHILLING } })
  })

  test('backwards can return a part only: 207, still active, and the next call returns the rest', () => {
    const { ask, goLive, model } = modelClient()
    goLive()
    model.inject({ poolShortfall: { asset: 'USDC', amount: '1' } })
    const partly = ask('POST', '/activate', { isActive: false }, 10_000)
    expect(partly).toMatchObject({
      status: 207,
      body: { isActive: true, partial: true, returned: ['NTZS', 'USDT'], failed: ['USDC'] },
    })
    model.advanceTo(START + 20_000)
    expect(model.book().ours).toMatchObject({ isActive: true, pool: { NTZS: 0n, USDC: 12_000n * DOLLAR } })
    model.inject({ poolShortfall: { asset: 'USDC', amount: '0' } })
    expect(ask('POST', '/activate', { isActive: false })).toMatchObject({
      status: 200,
      body: { isActive: false },
    })
    model.advanceTo(START + 30_000)
    expect(model.book().ours).toMatchObject({
      isActive: false,
      pool: { USDC: 0n },
      wallet: { USDC: 12_000n * DOLLAR },
    })
  })

  test('by chance comes back in parts or busy when the faults say so', () => {
    const { ask, goLive, model } = modelClient()
    goLive()
    model.inject({ faults: { partialDeactivation: 1 } })
    expect(ask('POST', '/activate', { isActive: false }).status).toBe(207)
    model.advanceTo(START + 20_000)
    model.inject({ faults: { busyActivation: 1 } })
    expect(ask('POST', '/activate', { isActive: false }).status).toBe(409)
  })
})

describe('the mid', () => {
  const print = { at: START + DAY_MS, type: 'print', mid: 2_512_345_678_901_234_567_891n } as const

  test('of a print is what its own JSON number says, with the date of the print', () => {
    const { get, model } = modelClient({}, scriptedWorld([print]))
    expect(get('/rate', DAY_MS - 1)).toMatchObject({
      midRateTZS: 2_500,
      rateUpdatedAt: new Date(START - 3_600_000).toISOString(),
    })
    const { midRateTZS, rateUpdatedAt } = get('/rate', DAY_MS) as {
      midRateTZS: number
      rateUpdatedAt: string
    }
    expect(rateUpdatedAt).toBe(new Date(START + DAY_MS).toISOString())
    expect(parseRate(midRateTZS)).toEqual({ ok: true, value: model.state.mid })
  })

  test('frozen keeps figure and date; jumped is off by so many bps; the control can print past both', () => {
    const frozen = modelClient({ faults: { frozenMid: true } }, scriptedWorld([print]))
    frozen.model.advanceTo(START + 2 * DAY_MS)
    expect(frozen.model.state.mid).toBe(2_500n * RATE_ONE)
    frozen.model.inject({ print: { mid: '2600' } })
    expect(frozen.get('/rate')).toMatchObject({
      midRateTZS: 2_600,
      rateUpdatedAt: new Date(START + 2 * DAY_MS).toISOString(),
    })
    frozen.model.inject({ jump: { bps: -100 } })
    expect(frozen.get('/rate')).toMatchObject({ midRateTZS: 2_574 })
    const jumped = modelClient(
      { faults: { jumpedMid: { chance: 1, bps: 1_000 } } },
      scriptedWorld([{ ...print, mid: 2_000n * RATE_ONE }]),
    )
    expect(jumped.get('/rate', DAY_MS)).toMatchObject({ midRateTZS: 2_200 })
  })

  test('that may not be quoted stops every swap but not our quote', () => {
    const { ask, get, goLive, model } = modelClient(
      {},
      scriptedWorld([{ at: START + 20_000, type: 'notQuotable', untilMs: START + 60_000 }]),
    )
    goLive()
    expect(get('/rate', 20_000)).toMatchObject({ quotable: false })
    expect(model.swap({ from: 'USDC', to: 'NTZS', amountIn: DOLLAR })).toEqual({
      ok: false,
      error: 'not-quotable',
    })
    expect(ask('GET', '/api/v1/swap/rate?from=USDC&to=TZS_TOKEN&amount=1').status).toBe(503)
    expect(get('/quote?fromToken=USDC&toToken=NTZS&amount=1')).toMatchObject({ spreadBps: 100 })
    expect(get('/rate', 60_000)).toMatchObject({ quotable: true })
  })
})

describe('the world outside', () => {
  test('an outage answers every call with a gateway page until it is over', () => {
    const { ask } = modelClient(
      {},
      scriptedWorld([{ at: START + 1_000, type: 'outage', untilMs: START + 5_000 }]),
    )
    const down = ask('GET', '/rate', undefined, 1_000)
    expect(down).toMatchObject({ status: 503, headers: { 'content-type': 'text/html' } })
    expect(down.rawBody).toContain('<html>')
    expect(ask('GET', '/rate', undefined, 5_000).status).toBe(200)
  })

  test('competitors move their quotes, turn sides off and take the flow that we are too wide for', () => {
    const world = scriptedWorld(
      [{ at: START + 20_000, type: 'competitorQuote', name: 'rival', bidBps: null, askBps: 40 }],
      [rival('rival', 200, 200)],
    )
    const { get, goLive, model } = modelClient({}, world)
    goLive(100, 100)
    const bestOf = (from: string, to: string, at: number) =>
      (get(`/api/v1/swap/rate?from=${from}&to=${to}&amount=100`, at) as { spreadBps: number }).spreadBps
    expect(bestOf('USDC', 'TZS_TOKEN', 10_000)).toBe(100)
    expect(bestOf('USDC', 'TZS_TOKEN', 20_000)).toBe(40)
    expect(bestOf('TZS_TOKEN', 'USDC', 20_000)).toBe(100)
    model.swap({ from: 'USDC', to: 'NTZS', amountIn: DOLLAR })
    expect(model.book().ours.fills).toHaveLength(0)
    expect(model.book().competitors).toMatchObject([{ name: 'rival', fillCount: 1 }])
  })

  test('the same options and calls give the same venue, and another seed another one', () => {
    const fillsOf = (seed: number) => {
      const model = createVenueModel({
        seed,
        startMs: START,
        isActive: true,
        spread: { bidBps: 20, askBps: 20 },
        scenario: 'normal',
      })
      model.advanceTo(START + DAY_MS)
      return model.book().ours.fills
    }
    expect(fillsOf(7).length).toBeGreaterThan(0)
    expect(fillsOf(7)).toEqual(fillsOf(7))
    expect(fillsOf(7)).not.toEqual(fillsOf(8))
  })

  test('time never goes back', () => {
    const { model } = modelClient()
    model.advanceTo(START + MINUTE_MS)
    model.advanceTo(START)
    expect(model.state.now).toBe(START + MINUTE_MS)
  })

  test('a theft and a deposit are in the book as what they are', () => {
    const { model } = modelClient()
    model.inject({
      steal: { asset: 'USDC', amount: '3', from: 'wallet' },
      externalTransfer: { asset: 'NTZS', amount: '7' },
    })
    expect(model.book().ours.transfers).toMatchObject([
      { kind: 'deposit', asset: 'NTZS', amount: 7n * SHILLING },
      { kind: 'stolen-from-wallet', asset: 'USDC', amount: 3n * DOLLAR },
    ])
    expect(() => model.inject({ steal: { asset: 'USDC', amount: '3', from: 'pool' } })).toThrow('holds less')
    expect(ASSETS.every((asset) => model.book().ours.pool[asset] === 0n)).toBe(true)
  })
})

describe('the limit of 60 a minute', () => {
  test('refuses the 61st request, says in whole seconds when, and lets it through then', () => {
    const { ask, model } = modelClient({ requestsPerMinute: 60 })
    for (let i = 0; i < 60; i++) expect(ask('GET', '/rate', undefined, i * 100).status).toBe(200)
    const refused = ask('GET', '/rate', undefined, 10_500)
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMIT' },
      headers: { 'retry-after': '50' },
    })
    expect(model.state.counters['refused by the key limit']).toBe(1)
    expect(ask('GET', '/rate', undefined, 60_000).status).toBe(200)
  })

  test('does not count the public rate, which has a limit of its own', () => {
    const { ask } = modelClient({ requestsPerMinute: 1, publicRequestsPerMinute: 2 })
    const rate = () => ask('GET', '/api/v1/swap/rate?from=USDC&to=TZS_TOKEN&amount=1').status
    expect([rate(), rate(), rate()]).toEqual([404, 404, 429])
    expect(ask('GET', '/rate').status).toBe(200)
  })
})
