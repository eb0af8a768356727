import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { partnerCheck } from '../../../../src/cli/partner/check.ts'
import { perform, type PerformOptions } from '../../../../src/cli/partner/perform.ts'
import type { EndpointName } from '../../../../src/treasury/api/endpoints.ts'
import { captured } from '../../../support/captured.ts'
import { changed, ENV, folderWith } from '../../../unit/daemon/config/config-fixture.ts'
import { freshFolder } from '../../../unit/store/store-fixture.ts'
import { scriptedServer, sendJson, type ScriptedServer } from '../../../unit/venue/scripted-server.ts'

const KEY = 'svc_test_0123456789abcdef'
const PAYOUT = { amountTzs: 990_000n, userId: 'u1', phoneNumber: '255712345678' }
let server: ScriptedServer | null = null
let keys: unknown[] = []

beforeEach(() => {
  keys = []
  vi.stubEnv('XDG_STATE_HOME', freshFolder())
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = 0
  await server?.close()
  server = null
})

/** A venue whose key has this mode; where it is null, `answer` answers for it too. */
async function serve(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  mode: 'live' | 'test' | null = 'test',
): Promise<void> {
  server = await scriptedServer((response, request) => {
    if (mode !== null && request.url?.endsWith('/testmode') === true)
      return sendJson(response, { livemode: mode === 'live', mode, message: 'a key' })
    if (request.method !== 'GET') keys.push(request.headers['idempotency-key'])
    answer(response, request)
  })
  vi.stubEnv('PARTNER_URL', server.url)
  vi.stubEnv('PARTNER_KEY', KEY)
}

/** What was sent beside reads, which look for a lost answer, for balances and for the mode of the key. */
const sent = () => (server?.seen ?? []).filter(({ method }) => method !== 'GET')

/** A lost answer is looked for once. */
const NO_WAIT = [0]

const run = (name: EndpointName, params: Record<string, unknown>, options: PerformOptions = {}) =>
  captured(() => perform(name, params, options, NO_WAIT))

describe('a command that moves money', () => {
  test('sends nothing without --yes where there is no terminal', async () => {
    await serve((response) => sendJson(response, {}))
    const { err, exitCode } = await run('createWithdrawal', PAYOUT)
    expect(err).toMatch(/nothing was sent/)
    expect(exitCode).toBe(2)
    expect(sent()).toHaveLength(0)
  })

  test('prints its random key before the request arrives, and sends exactly that one', async () => {
    let before = ''
    let err = ''
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((err += String(text))))
    await serve((response) => {
      before = err
      sendJson(response, { id: 'w1', status: 'burned', receiveAmountTzs: 990_000 }, 201)
    })
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
    await perform('createWithdrawal', PAYOUT, { yes: true, json: true }, NO_WAIT)
    const [, key] = /^Idempotency-Key: ([0-9a-f]{32})\n$/.exec(before) ?? []
    expect(keys).toEqual([key])
    expect(JSON.parse(String(stdout.mock.calls[0]?.[0]))).toMatchObject({
      route: 'POST /withdrawals',
      key,
      kind: 'answered',
      status: 201,
      value: { id: 'w1', status: 'burned', receiveAmountTzs: '990000' },
      exitCode: 0,
    })
  })

  test('sends the key that it is given, and a transfer of a merchant carries it in its body', async () => {
    await serve((response) => sendJson(response, { id: 'x', status: 'completed' }))
    await run(
      'createTransfer',
      { fromUserId: 'u', amountTzs: 5n, toAddress: '0x1' },
      { yes: true, key: 'mine' },
    )
    await run('merchantTransfer', { merchantId: 'm', amountTzs: 5n }, { yes: true, key: 'mine-too' })
    expect(keys).toEqual(['mine', undefined])
    expect(JSON.parse(sent()[1]?.body ?? '')).toEqual({ amountTzs: 5, idempotencyKey: 'mine-too' })
  })

  test('whose answer is lost ends with code 5, its key, and what to do', async () => {
    await serve((response) => response.destroy())
    const { err, exitCode } = await run('createWithdrawal', PAYOUT, { yes: true, key: 'k-1' })
    expect(exitCode).toBe(5)
    expect(err).toMatch(/may have moved\. .*not send/)
    expect(err).not.toMatch(/--key k-1/)
    expect(sent()).toHaveLength(1)
  })

  test('that is answered with an error and an id ends with code 5, and how to read what it names', async () => {
    await serve((response) => sendJson(response, { id: 'w-7', status: 'burned', error: 'late' }, 502))
    const { err, exitCode } = await run('createWithdrawal', PAYOUT, { yes: true })
    expect(exitCode).toBe(5)
    expect(err).toContain('`withdrawals read --id w-7`')
  })

  test.each([
    ['ours', {}, 0],
    ['another amount', { amountTzs: 7 }, 5],
    ['another destination', { toAddress: '0x2' }, 5],
    ['a status that the contract does not have', { status: 'parked' }, 5],
    ['a failure', { status: 'failed' }, 1],
  ])('whose answer states %s ends accordingly', async (_what, change, code) => {
    const ours = { id: 'x-9', status: 'completed', amountTzs: 5, toAddress: '0x1' }
    await serve((response) => sendJson(response, { ...ours, ...change }))
    const transfer = { fromUserId: 'u', amountTzs: 5n, toAddress: '0x1' }
    const { exitCode, err } = await run('createTransfer', transfer, { yes: true })
    expect(exitCode).toBe(code)
    expect(err.includes('The answer names x-9') && err.includes('Do not send it again')).toBe(code === 5)
  })

  test('of a merchant whose answer states another amount ends with code 5', async () => {
    await serve((response) => sendJson(response, { id: 'x', amountTzs: 50 }))
    expect((await run('merchantTransfer', { merchantId: 'm', amountTzs: 5n }, { yes: true })).exitCode).toBe(
      5,
    )
  })

  test.each([
    [409, { error: 'duplicate_withdrawal' }, 5],
    [500, { error: 'network_error' }, 5],
    [400, { error: 'invalid_quote' }, 3],
    [503, { error: 'bank_rail_unavailable' }, 3],
    [401, { error: 'A valid API key is required' }, 4],
    [403, { error: 'Not allowed.', code: 'ip_not_allowed' }, 4],
  ])('that is answered %i %j ends with code %i', async (status, body, code) => {
    await serve((response) => sendJson(response, body, status))
    const { exitCode, out } = await run('createWithdrawal', PAYOUT, { yes: true, json: true })
    expect(exitCode).toBe(code)
    expect(JSON.parse(out)).toMatchObject({ route: 'POST /withdrawals', exitCode: code })
    expect(out).not.toContain(KEY)
  })

  test.each(['live', null] as const)(
    'with a %s key is sent by a script only with --yes and --live',
    async (mode) => {
      await serve((response, { method }) => {
        if (method === 'GET') sendJson(response, { message: 'no mode is stated' })
        else sendJson(response, { id: 'w1', status: 'burned' }, 201)
      }, mode)
      const payments = () => sent().filter(({ method }) => method === 'POST')
      const refused = await run('createWithdrawal', PAYOUT, { yes: true })
      expect(refused.exitCode).toBe(2)
      expect(refused.err).toMatch(/nothing was sent.*--yes --live/)
      expect(payments()).toHaveLength(0)
      expect((await run('createWithdrawal', PAYOUT, { yes: true, live: true })).exitCode).toBe(0)
      expect(payments()).toHaveLength(1)
    },
  )

  test('that certainly was not sent ends with code 4, like every venue that is not reached', async () => {
    vi.stubEnv('PARTNER_URL', 'http://127.0.0.1:1')
    vi.stubEnv('PARTNER_KEY', KEY)
    expect((await run('createWithdrawal', PAYOUT, { yes: true })).exitCode).toBe(4)
  })

  test('shows each step of a swap as it arrives, and ends with code 1 where the swap failed', async () => {
    await serve((response) => {
      response
        .writeHead(200)
        .end('data: {"status":"CHECKING"}\n\ndata: {"status":"FAILED","error":"no provider"}\n\n')
    })
    const swap = { userId: 'u', fromToken: 'USDC', toToken: 'TZS_TOKEN', amount: 1n }
    const { err, exitCode } = await run('swap', swap, { yes: true })
    expect(err).toMatch(/status: CHECKING\nstatus: FAILED {2}error: no provider/)
    expect(exitCode).toBe(1)
  })
})

describe('a command that reads', () => {
  test('prints amounts exactly, and nothing of what is absent', async () => {
    await serve((response) =>
      sendJson(response, { id: 'u1', kycStatus: 'approved', balance: 7, balanceUsdc: 0.000001 }),
    )
    const { out, exitCode } = await run('readUser', { id: 'u1' })
    expect(out).toBe('id: u1\nkycStatus: approved\nbalanceTzs: 7\nbalanceUsdc: 0.000001\n')
    expect(exitCode).toBe(0)
  })

  test('without address or key describes where they come from', async () => {
    vi.stubEnv('PARTNER_URL', '')
    vi.stubEnv('PARTNER_KEY', '')
    expect((await run('supply', {})).err).toMatch(/PARTNER_URL is not/)
    vi.stubEnv('PARTNER_URL', 'https://pay.example')
    const { err, exitCode } = await run('supply', {})
    expect(err).toMatch(/PARTNER_KEY is not/)
    expect(exitCode).toBe(2)
    vi.stubEnv('PARTNER_URL', 'http://pay.example')
    vi.stubEnv('PARTNER_KEY', KEY)
    expect((await run('supply', {})).err).toMatch(/PARTNER_URL: baseUrl: http:\/\//)
  })

  test('prints nothing of a venue’s text that a terminal would obey', async () => {
    await serve((response) => sendJson(response, { error: 'x_y', message: '\u001B[2Jgone' }, 400))
    const { err } = await run('readDeposit', { id: 'd' })
    expect(err).not.toContain('\u001B')
  })
})

describe('a command with --config', () => {
  const PLAIN = 'use: plain, params: { halfSpreadBps: 60 }'
  const config = (section: string): string =>
    join(
      folderWith({
        'live.yaml': changed(PLAIN, 'use: fixed-spread, params: { bidBps: 60, askBps: 60 }') + section,
      }),
      'live.yaml',
    )
  const section = (url: string) => `treasury:
  partner: { baseUrl: '${url}', apiKey: !env DESK_KEY, prefix: /v1 }
  userId: 0b7c8f4e-0000-4000-8000-000000000001
  lpWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
`

  beforeEach(() => {
    for (const [name, value] of Object.entries(ENV)) vi.stubEnv(name, value)
    vi.stubEnv('DESK_KEY', 'svc_test_of_the_file')
  })

  test('takes address, key and prefix of its treasury section, whatever the environment holds', async () => {
    await serve((response) => sendJson(response, { supply: 7 }))
    const url = server?.url ?? ''
    vi.stubEnv('PARTNER_URL', 'https://elsewhere.example')
    const { out, exitCode } = await run('supply', {}, { config: config(section(url)), json: true })
    expect(JSON.parse(out)).toMatchObject({ value: { supplyTzs: '7' }, exitCode: 0 })
    expect(exitCode).toBe(0)
    expect(server?.seen).toMatchObject([{ url: '/v1/supply', authorization: 'Bearer svc_test_of_the_file' }])
  })

  test('advises to repeat a payment whose answer is lost only on a route that treasury.keysHonoured names', async () => {
    await serve((response) => response.destroy())
    const named = `${section(server?.url ?? '')}  keysHonoured: [POST /withdrawals]\n`
    const options = { config: config(named), yes: true, key: 'k-1' }
    expect((await run('createWithdrawal', PAYOUT, options)).err).toMatch(/with --key k-1/)
    const transfer = { fromUserId: 'u', amountTzs: 5n, toAddress: '0x1' }
    expect((await run('createTransfer', transfer, options)).err).not.toMatch(/with --key k-1/)
  })

  test('without a treasury section describes where address and key come from', async () => {
    const { err, exitCode } = await run('supply', {}, { config: config('') })
    expect(err).toMatch(/no treasury section/)
    expect(exitCode).toBe(2)
  })
})

describe('partner check', () => {
  const answers: Readonly<Record<string, readonly [number, object]>> = {
    'GET /api/v1/ramp/balance': [200, { usdcBalance: '1000', tokenBalance: '812' }],
    'GET /api/v1/testmode': [200, { livemode: false }],
    'POST /api/v1/transfers': [400, { error: 'missing_required_fields' }],
    'POST /api/v1/swap': [403, { error: 'capability_required' }],
    'POST /api/v1/withdrawals/quote': [403, { error: 'kyb_required', details: { allowanceTzs: 100_000 } }],
    'GET /api/v1/commerce/wallet': [501, { error: 'not_available_in_test_mode' }],
  }
  const venue = (response: ServerResponse, { method, url }: IncomingMessage) => {
    const [status, body] = answers[`${method} ${url}`] ?? [404, { error: 'Not found' }]
    sendJson(response, body, status)
  }

  test('reports capabilities, KYB, test or live, allow-list, float, minimums and a verified webhook sample', async () => {
    await serve(venue)
    vi.stubEnv('PARTNER_WEBHOOK_SECRET', 'whsec_test_secret')
    const { out, exitCode } = await captured(() => partnerCheck({ json: true }))
    const { findings } = JSON.parse(out) as { findings: { what: string; status: string; words: string }[] }
    expect(Object.fromEntries(findings.map(({ what, status }) => [what, status]))).toEqual({
      'test or live': 'ok',
      'capability collections': 'ok',
      'capability disbursements': 'ok',
      'capability transfers': 'ok',
      'capability treasury': 'off',
      'capability wallets': 'ok',
      'capability swap': 'off',
      'capability ramp': 'ok',
      'capability commerce': 'unknown',
      'capability agent_float': 'unknown',
      KYB: 'bad',
      'allow-list': 'ok',
      'ramp float': 'ok',
      'treasury user': 'unknown',
      minimums: 'ok',
      'webhook secret 1': 'ok',
    })
    expect(findings.find(({ what }) => what === 'ramp float')?.words).toContain('1000 USDC, and 812 TZS ')
    expect(exitCode).toBe(3)
    expect(out).not.toContain(KEY)
  })

  test.each([
    ['live', 'svc_live_x', 'ok', /^LIVE: real money moves$/],
    ['live', 'desk_test_x', 'bad', /^LIVE: real money moves; its prefix is that of a test key$/],
    ['test', 'desk_live_x', 'bad', /^a test key.*; its prefix is that of a live key$/],
    [null, 'svc_test_x', 'unknown', /^counts as LIVE/],
  ] as const)('of a %s key with the prefix of %s is %s', async (mode, key, status, words) => {
    const unstated = (response: ServerResponse, request: IncomingMessage) =>
      request.url === '/api/v1/testmode' ? sendJson(response, { message: 'a key' }) : venue(response, request)
    await serve(unstated, mode)
    vi.stubEnv('PARTNER_KEY', key)
    const { out } = await captured(() => partnerCheck({ json: true }))
    const { findings } = JSON.parse(out) as { findings: { what: string; status: string; words: string }[] }
    const finding = findings.find(({ what }) => what === 'test or live')
    expect(finding?.status).toBe(status)
    expect(finding?.words).toMatch(words)
  })

  test('prints all that test mode answers on one line', async () => {
    const rails = { mobile_money: 'simulated', bank: 'simu\nlated' }
    const nested = { livemode: false, rails, notes: [{ since: 'May' }] }
    await serve(
      (response, request) =>
        request.url === '/api/v1/testmode' ? sendJson(response, nested, 200) : venue(response, request),
      null,
    )
    const { out, err } = await captured(() => partnerCheck({}))
    const lines = `${out}${err}`.split('\n').filter((line) => /livemode|simu.lated|since/.test(line))
    expect(lines).toHaveLength(1)
    for (const words of ['a test key', 'livemode: false', 'mobile_money: simulated', 'since: May'])
      expect(lines[0]).toContain(words)
    expect(lines[0]).not.toContain(' 1.')
  })

  test('sends no body with a field to a route that moves money', async () => {
    await serve(venue)
    await captured(() => partnerCheck({}))
    const money = (server?.seen ?? []).filter(
      ({ method, url }) => method !== 'GET' && !url.endsWith('/quote'),
    )
    expect(money.map(({ url, body }) => [url, body])).toEqual([
      ['/api/v1/transfers', '{}'],
      ['/api/v1/swap', '{}'],
    ])
  })

  test('sends nothing where NODE_TLS_REJECT_UNAUTHORIZED=0 would accept any certificate', async () => {
    await serve(venue)
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { err, exitCode } = await captured(() => partnerCheck({}))
    expect(err).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0 is set')
    expect([exitCode, server?.seen]).toEqual([2, []])
  })

  test('finds white space in the secret of the webhooks, which no signature survives', async () => {
    await serve(venue)
    vi.stubEnv('PARTNER_WEBHOOK_SECRET', 'whsec_test_secret\n')
    const { err } = await captured(() => partnerCheck({}))
    expect(err).toMatch(/BAD +webhook secret 1 +/)
  })

  test.each([
    [401, { error: 'A valid API key is required' }, /the key is not accepted/],
    [403, { error: 'No.', code: 'ip_not_allowed' }, /the allow-list refuses this address/],
  ])('stops after a %i, which every other request would get too', async (status, body, message) => {
    await serve((response) => sendJson(response, body, status))
    const { err, exitCode } = await captured(() => partnerCheck({}))
    expect(err).toMatch(message)
    expect(exitCode).toBe(4)
    const others = (server?.seen ?? []).filter(({ url }) => !url.endsWith('/testmode'))
    expect(others).toHaveLength(1)
  })
})

describe('a key under which a payment left before', () => {
  const MONEY: readonly (readonly [EndpointName, Record<string, unknown>])[] = [
    ['createTransfer', { fromUserId: 'u1', toUserId: 'u2', amountTzs: 5_000n }],
    ['createWithdrawal', PAYOUT],
    [
      'createDeposit',
      { userId: 'u1', amountTzs: 5_000n, paymentMethod: 'mobile_money', phoneNumber: '255712345678' },
    ],
  ]
  const lost = (response: ServerResponse) => void response.socket?.destroy()

  test.each(MONEY)(
    '%s sends nothing after a lost answer, describes how to find out, and sends with --again',
    async (name, params) => {
      await serve(lost)
      const first = await run(name, params, { yes: true, key: 'k-lost' })
      expect([first.exitCode, sent().length]).toEqual([5, 1])
      const second = await run(name, params, { yes: true, key: 'k-lost' })
      expect([second.exitCode, sent().length]).toEqual([3, 1])
      expect(second.err).toMatch(/nothing was sent.*k-lost .*--again/s)
      await run(name, params, { yes: true, key: 'k-lost', again: true })
      expect(keys).toEqual(['k-lost', 'k-lost'])
    },
  )

  test('a drawn key is refused after a lost answer too, and a refused or unreached request leaves its key free', async () => {
    await serve(lost)
    const { err } = await run('createWithdrawal', PAYOUT, { yes: true })
    const key = /Idempotency-Key: (\S+)/.exec(err)?.[1] ?? ''
    expect((await run('createWithdrawal', PAYOUT, { yes: true, key })).exitCode).toBe(3)
    expect(sent()).toHaveLength(1)
    await server?.close()
    await serve((response) => sendJson(response, { error: 'insufficient_balance', message: 'no' }, 400))
    for (let n = 0; n < 2; n++) await run('createWithdrawal', PAYOUT, { yes: true, key: 'free' })
    expect(keys.slice(1)).toEqual(['free', 'free'])
  })
})
