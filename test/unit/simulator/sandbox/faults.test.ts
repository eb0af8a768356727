import { describe, expect, test } from 'vitest'
import { REQUEST_FAULTS, type RequestFault } from '../../../../src/simulator/sandbox/faults.ts'
import type { VenueModel } from '../../../../src/simulator/sandbox/model.ts'
import { modelClient } from './model-client.ts'
import { START } from './scripted-world.ts'

const DOLLAR = 10n ** 6n
const SPREAD = { bidBps: 77, askBps: 88 }

type Fills = { fills: { id: string }[] }

function fill(model: VenueModel, times = 1): string[] {
  return Array.from({ length: times }, () => {
    model.advanceTo(model.state.now + 1)
    const done = model.swap({ from: 'USDC', to: 'NTZS', amountIn: DOLLAR })
    return done.ok ? done.value.id : 'refused'
  })
}

const ids = (body: unknown) => (body as Fills).fills.map(({ id }) => id)

describe('the fills shown', () => {
  test('are the same object until something changes', () => {
    const { get, goLive, model } = modelClient()
    goLive()
    fill(model)
    const first = get('/fills')
    expect(get('/fills')).toBe(first)
    fill(model)
    expect(get('/fills')).not.toBe(first)
  })

  test('are the latest 100, newest first, while the book has all of them', () => {
    const { get, goLive, model } = modelClient()
    goLive()
    const made = fill(model, 130)
    expect(ids(get('/fills'))).toEqual(made.toReversed().slice(0, 100))
    expect(model.book().ours.fills.map(({ id }) => id)).toEqual(made)
  })

  test('can miss one indefinitely that the balances have', () => {
    const { get, goLive, model } = modelClient()
    goLive()
    model.inject({ faults: { fills: { missing: 1 } } })
    fill(model)
    expect(ids(get('/fills'))).toEqual([])
    expect(model.book().ours.fills).toHaveLength(1)
    expect(get('/balances')).toMatchObject({ usdc: '12001' })
  })

  test('can show one twice', () => {
    const { get, goLive, model } = modelClient()
    goLive()
    model.inject({ faults: { fills: { duplicate: 1 } } })
    const [id] = fill(model)
    expect(ids(get('/fills'))).toEqual([id, id])
  })

  test('can show one later than a newer one, and then behind it', () => {
    const { get, goLive, model } = modelClient()
    goLive()
    model.inject({ faults: { fills: { late: 1, lateMeanMs: 1_000 } } })
    const [late] = fill(model)
    model.inject({ faults: { fills: { late: 0 } } })
    const [soon] = fill(model)
    expect(ids(get('/fills'))).toEqual([soon])
    model.advanceTo(model.state.now + 60_000)
    expect(ids(get('/fills'))).toEqual([soon, late])
  })

  test('can be out of order and still all there', () => {
    const { get, goLive, model } = modelClient()
    goLive()
    const old = fill(model, 10)
    model.inject({ faults: { fills: { reordered: 1 } } })
    const [moved] = fill(model)
    const shown = ids(get('/fills'))
    expect(shown[0]).not.toBe(moved)
    expect(shown).toHaveLength(11)
    expect(new Set(shown)).toEqual(new Set([...old, moved]))
  })
})

describe('a request that goes wrong', () => {
  const outcomes: Record<RequestFault, { applied: boolean; answer: object }> = {
    'timeout-before': { applied: false, answer: { drop: 'before', dropHow: 'hang' } },
    'timeout-after': { applied: true, answer: { drop: 'after', dropHow: 'hang' } },
    'reset-before': { applied: false, answer: { drop: 'before', dropHow: 'reset' } },
    'reset-after': { applied: true, answer: { drop: 'after', dropHow: 'reset' } },
    '500': { applied: false, answer: { status: 500, body: { code: 'INTERNAL_ERROR' } } },
    '500-after': { applied: true, answer: { status: 500, body: { code: 'INTERNAL_ERROR' } } },
    '503': { applied: false, answer: { status: 503, headers: { 'content-type': 'text/html' } } },
    '429': { applied: false, answer: { status: 429, headers: { 'retry-after': '2' } } },
    malformed: {
      applied: true,
      answer: { status: 200, drop: null, rawBody: '{"status": ok,,}' },
    },
    html: { applied: true, answer: { status: 502, headers: { 'content-type': 'text/html' } } },
    truncated: { applied: true, answer: { status: 200, truncate: true } },
  }

  test.each(REQUEST_FAULTS)('%s: is carried out or not as its name says', (kind) => {
    const { ask, model } = modelClient()
    model.inject({ nextRequest: { route: 'PATCH /spread', kind } })
    expect(ask('GET', '/rate')).toMatchObject({ status: 200, drop: null })
    const answer = ask('PATCH', '/spread', SPREAD)
    expect(answer).toMatchObject(outcomes[kind].answer)
    expect(model.state.ours.bidBps === 77).toBe(outcomes[kind].applied)
    expect(model.state.counters[`fault ${kind}`]).toBe(1)
    expect(ask('PATCH', '/spread', SPREAD)).toMatchObject({ status: 200, drop: null })
  })

  test('may be announced several times, for every route or for some', () => {
    const { ask, model } = modelClient()
    model.inject({
      nextRequest: [
        { kind: '500', count: 2 },
        { route: 'GET /f*', kind: '429' },
      ],
    })
    const statuses = () => [ask('GET', '/fills').status, ask('GET', '/rate').status]
    expect(statuses()).toEqual([500, 500])
    expect(statuses()).toEqual([429, 200])
    expect(statuses()).toEqual([200, 200])
  })

  test('by chance goes wrong about as often as the options say, and the same for the same seed', () => {
    const run = (seed: number) => {
      const { ask } = modelClient({
        seed,
        faults: { routes: [{ route: 'GET *', chance: { '500': 0.2, html: 0.1 } }] },
      })
      return Array.from({ length: 1_000 }, () => ask('GET', '/rate').status)
    }
    const statuses = run(1)
    const share = (status: number) => statuses.filter((each) => each === status).length / 1_000
    expect(share(500)).toBeGreaterThan(0.15)
    expect(share(500)).toBeLessThan(0.25)
    expect(share(502)).toBeGreaterThan(0.05)
    expect(run(1)).toEqual(statuses)
    expect(run(2)).not.toEqual(statuses)
  })

  test('may only be slow: the answer says after how long, and its Date is of then', () => {
    const { ask } = modelClient({ faults: { latency: { meanMs: 60_000 } } })
    const { delayMs, headers } = ask('GET', '/rate')
    expect(delayMs).toBeGreaterThan(0)
    expect(headers['date']).toBe(new Date(START + delayMs).toUTCString())
  })
})

describe('a PATCH of the spread', () => {
  test('that is slow takes effect when it is answered', () => {
    const { ask, get, model } = modelClient()
    model.inject({ faults: { slowPatch: { chance: 1, delayMs: 5_000 } } })
    expect(ask('PATCH', '/spread', SPREAD, 0)).toMatchObject({ status: 200, delayMs: 5_000, body: SPREAD })
    const quote = '/quote?fromToken=USDC&toToken=NTZS&amount=1'
    expect(get(quote, 4_999)).toMatchObject({ spreadBps: 500 })
    expect(get(quote, 5_000)).toMatchObject({ spreadBps: 88 })
  })

  test.each([
    ['after', 1, 77],
    ['before', 0, 500],
  ])('that is lost is never answered; dropped %s it was applied or not', (drop, applied, bidBps) => {
    const { ask, model } = modelClient()
    model.inject({ faults: { lostPatch: { chance: 1, applied } } })
    expect(ask('PATCH', '/spread', SPREAD)).toMatchObject({ drop, dropHow: 'hang' })
    expect(model.state.ours.bidBps).toBe(bidBps)
  })
})

test.each([
  ['after', 1, 11_999n],
  ['before', 0, 12_000n],
])('a withdrawal can stay without an answer, dropped %s the money moved or not', (drop, applied, left) => {
  const { ask, model } = modelClient()
  model.inject({ faults: { ambiguousWithdraw: { chance: 1, applied } } })
  const toAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  expect(ask('POST', '/withdraw', { token: 'usdc', toAddress, amount: '1' })).toMatchObject({ drop })
  expect(model.book().ours.wallet.USDC).toBe(left * DOLLAR)
})

test('fault options merge: what is not named stays, and an unknown name changes nothing', () => {
  const { model } = modelClient({ faults: { fills: { missing: 0.5 } } })
  model.inject({ faults: { fills: { late: 0.25 }, frozenMid: true } })
  expect(model.state.faults).toMatchObject({ fills: { missing: 0.5, late: 0.25 }, frozenMid: true })
  expect(() => model.inject({ faults: { nonsense: 1 }, freeze: false })).toThrow()
  expect(() => model.inject({ competitor: { name: 'nobody', bidBps: 1, askBps: 1 }, freeze: false })).toThrow(
    'nobody',
  )
  expect(model.state.faults.frozenMid).toBe(true)
})
