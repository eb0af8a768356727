import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import type { VenueResponse } from '../../../../../src/simulator/sandbox/api/request.ts'
import type { SandboxOptionsInput } from '../../../../../src/simulator/sandbox/options.ts'
import { modelClient, type ModelClient } from '../model-client.ts'
import { scriptedWorld, START } from '../scripted-world.ts'

const FOLDER = new URL('../../../../golden/venue/', import.meta.url)

type Recorded = {
  readonly request: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Recorded
}

/** The measured venue with both of its mids at 2568 and no other provider. */
function measuredVenue(options: SandboxOptionsInput = {}): ModelClient {
  const world = { ...scriptedWorld(), openingMid: 2_568n * RATE_ONE }
  return modelClient({ venue: 'measured', measured: { rateBps: 0 }, ...options }, world)
}

function activated(options: SandboxOptionsInput = {}): ModelClient {
  const client = measuredVenue({ isActive: true, ...options })
  client.ask('PATCH', '/spread', { bidBps: 70, askBps: 50 })
  return client
}

const NTZS = 10n ** 18n
const USDC = 10n ** 6n

/** The two recorded fills: 250000 NTZS at the bid, and 100 USDC at the ask. */
function traded(): ModelClient {
  const client = activated()
  client.model.swap({ from: 'NTZS', to: 'USDC', amountIn: 250_000n * NTZS })
  client.model.swap({ from: 'USDC', to: 'NTZS', amountIn: 100n * USDC })
  return client
}

function lastFill({ ask }: ModelClient): VenueResponse {
  const { body, ...response } = ask('GET', '/fills')
  return { ...response, body: (body as { fills: unknown[] }).fills[0] }
}

const ELSEWHERE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const withdrawal = (amount: string, toAddress = ELSEWHERE) => ({ token: 'usdc', amount, toAddress })
const keyed = (authorization: string | null) => {
  const { model } = measuredVenue()
  return model.handle({
    method: 'GET',
    path: '/api/v1/mm/account',
    query: {},
    body: undefined,
    authorization,
    now: START,
  })
}
const onBnb = (): SandboxOptionsInput => ({ opening: { 'USDT.bnb': '5' } })

/** How the simulated venue comes to each answer. */
const ANSWERS: Readonly<Record<string, () => VenueResponse>> = {
  account: () => measuredVenue().ask('GET', '/account'),
  'balances-wallet': () => measuredVenue().ask('GET', '/balances'),
  'balances-pool': () => traded().ask('GET', '/balances'),
  rate: () => measuredVenue().ask('GET', '/rate'),
  quote: () => {
    const { ask } = measuredVenue()
    ask('PATCH', '/spread', { bidBps: 120, askBps: 150 })
    return ask('GET', '/quote?fromToken=USDC&toToken=NTZS&amount=100')
  },
  spread: () =>
    measuredVenue().ask('PATCH', '/spread', { bidBps: 70, askBps: 50, quoteBid: false, quotePairs: [] }),
  'spread-out-of-range': () => measuredVenue().ask('PATCH', '/spread', { bidBps: 5, askBps: 600 }),
  'spread-not-whole': () => measuredVenue().ask('PATCH', '/spread', { bidBps: 60.5, askBps: 60 }),
  'activate-post': () => measuredVenue().ask('POST', '/activate', { isActive: true }),
  'activate-options': () => measuredVenue().ask('OPTIONS', '/activate'),
  activate: () => measuredVenue().ask('PATCH', '/activate', { isActive: true }),
  'activate-stopped': () =>
    measuredVenue({ faults: { halfActivation: 1 } }).ask('PATCH', '/activate', { isActive: true }),
  'activate-empty-wallet': () => activated().ask('PATCH', '/activate', { isActive: true }),
  deactivate: () => traded().ask('PATCH', '/activate', { isActive: false }),
  'deactivate-partial': () => {
    const client = traded()
    client.model.inject({ poolShortfall: { asset: 'USDC', amount: '1' } })
    return client.ask('PATCH', '/activate', { isActive: false })
  },
  'deactivate-bnb': () => activated(onBnb()).ask('PATCH', '/activate', { isActive: false }),
  'fill-waas': () => {
    const client = activated()
    client.model.swap({ from: 'NTZS', to: 'USDC', amountIn: 250_000n * NTZS })
    return lastFill(client)
  },
  'fill-app': () => {
    const client = activated()
    client.model.swap({ from: 'NTZS', to: 'USDC', amountIn: 250_000n * NTZS, source: 'app' })
    return lastFill(client)
  },
  'fill-ramp': () => {
    const client = activated()
    client.model.swap({ from: 'USDC', to: 'NTZS', amountIn: 100n * USDC, source: 'ramp' })
    return lastFill(client)
  },
  'fill-bnb': () => {
    const client = activated()
    client.model.swap({ from: 'USDT.bnb', to: 'NTZS', amountIn: 100n * 10n ** 18n })
    return lastFill(client)
  },
  withdraw: () => measuredVenue().ask('POST', '/withdraw', withdrawal('1')),
  'withdraw-zero-address': () =>
    measuredVenue().ask('POST', '/withdraw', withdrawal('1', `0x${'0'.repeat(40)}`)),
  'withdraw-seven-decimals': () => measuredVenue().ask('POST', '/withdraw', withdrawal('0.0000001')),
  'withdraw-too-much': () => measuredVenue().ask('POST', '/withdraw', withdrawal('12000.000001')),
  'key-missing': () => keyed(null),
  'key-unknown': () => keyed('Bearer mm_test_of_no_one'),
  'key-malformed': () => keyed('Bearer something'),
  'swap-rate': () => measuredVenue().ask('GET', '/api/v1/swap/rate?from=USDC&to=NTZS&amount=100'),
  'swap-rate-unsupported': () =>
    measuredVenue().ask('GET', '/api/v1/swap/rate?from=USDC&to=TZS_TOKEN&amount=100'),
}

/** Nothing of these was recorded but the shape. */
const BY_SHAPE = new Set(['account', 'deactivate', 'deactivate-partial', 'deactivate-bnb'])

/** The kind of a text that differs between venues; any other text is itself. */
function kindOf(text: string): string {
  if (/^0x[0-9a-f]{64}$/.test(text)) return 'hash'
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return 'time'
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? 'id' : text
}

const PARTIES = new Set(['walletAddress', 'userAddress', 'address'])

function masked(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => masked(each))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each, name)]))
  if (typeof value !== 'string') return value
  return PARTIES.has(key) && /^0x[0-9a-fA-F]{40}$/.test(value) ? 'address' : kindOf(value)
}

/** Field names and types; a list has the shape of its first entry. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
  if (typeof value !== 'string') return typeof value
  return /^\d+\.\d+$/.test(value) ? 'decimal' : value.startsWith('0x') ? 'hex' : 'text'
}

describe('the measured venue answers as recorded', () => {
  test('for every file of the folder', () => {
    const files = readdirSync(FOLDER).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []))
    expect(Object.keys(ANSWERS).toSorted()).toEqual(files.toSorted())
  })

  test.each(Object.entries(ANSWERS))('%s', (name, answerOf) => {
    const { status, headers = {}, body } = recorded(name)
    const answer = answerOf()
    expect(answer.status).toBe(status)
    if (body === null) expect(answer.rawBody).toBe('')
    else if (BY_SHAPE.has(name)) expect(shapeOf(answer.body)).toEqual(shapeOf(body))
    else expect(masked(answer.body)).toEqual(masked(body))
    expect(answer.headers).toMatchObject(headers)
    if (status === 405) expect(answer.headers).not.toHaveProperty('allow')
  })

  test.each([
    ['PUT', '/custody'],
    ['GET', '/rfq/info'],
    ['POST', '/rfq/orders'],
    ['GET', '/nothing'],
  ])('%s %s is not there, and the answer is a page', (method, path) => {
    const answer = measuredVenue().ask(method, path, {})
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(answer.rawBody).toBe(readFileSync(new URL('not-found.txt', FOLDER), 'utf8').trimEnd())
  })
})
