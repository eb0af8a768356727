import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { httpClient, type HttpClient, type Reply } from './http-client.ts'

const opened: HttpClient[] = []
const receivers: Server[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ sandbox }) => sandbox.close()))
  for (const receiver of receivers.splice(0)) receiver.close()
})

type Partnered = HttpClient & {
  readonly partner: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply>
  readonly control: (path: string, body?: unknown) => Promise<Reply>
  readonly ownerId: string
}

async function open(options: SandboxOptionsInput = {}): Promise<Partnered> {
  const client = await httpClient(options)
  opened.push(client)
  const { ask } = client
  const { json } = await ask('GET', '/sandbox/state')
  const { keys } = json['partner'] as { keys: readonly { owner: { userId: string } }[] }
  return {
    ...client,
    partner: (method, path, body, headers) =>
      ask(method, `/v1${path}`, body, { authorization: 'Bearer svc_test_sandbox', ...headers }),
    control: (path, body) => ask('POST', `/sandbox/partner/${path}`, body),
    ownerId: keys[0]?.owner.userId ?? '',
  }
}

type Received = { readonly headers: IncomingHttpHeaders; readonly text: string }

/** A receiver that answers with the given statuses in turn, the last one indefinitely. */
async function receive(...statuses: readonly number[]) {
  const got: Received[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      response.statusCode = statuses[Math.min(got.length, statuses.length - 1)] ?? 200
      got.push({ headers: request.headers, text })
      response.end()
      for (const wake of waiting.splice(0)) wake()
    })
  })
  receivers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const until = async (count: number): Promise<readonly Received[]> => {
    while (got.length < count) await new Promise<void>((wake) => waiting.push(wake))
    return got
  }
  return { url: `http://127.0.0.1:${port}/hook`, got, until }
}

const deposit = (client: Partnered, amountTzs: number) =>
  client.partner('POST', '/deposits', { userId: client.ownerId, amountTzs, phoneNumber: '0754123456' })

describe('webhooks', () => {
  test('are posted when they are due, signed over the literal timestamp and the body', async () => {
    const receiver = await receive(200)
    const client = await open({ partner: { webhookUrl: receiver.url } })
    const { json } = await deposit(client, 40_000)
    await client.advance(3_000)
    const [event] = await receiver.until(1)
    const { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature } = event?.headers ?? {}
    expect(timestamp).toMatch(/^\d{10}$/)
    expect(Math.abs(Number(timestamp) * 1_000 - Date.now())).toBeLessThan(60_000)
    const expected = createHmac('sha256', 'whsec_test_sandbox').update(`${String(timestamp)}.${event?.text}`)
    expect(signature).toBe(expected.digest('hex'))
    expect(JSON.parse(event?.text ?? '')).toMatchObject({
      type: 'deposit.completed',
      data: { depositId: json['id'], amountTzs: 40_000, livemode: false },
    })
  })

  test('come without any request while time runs', async () => {
    const receiver = await receive(200)
    const client = await open({ speed: 1_000, partner: { webhookUrl: receiver.url } })
    await deposit(client, 40_000)
    expect(await receiver.until(1)).toHaveLength(1)
  })

  test('that are not answered by 2xx are posted again', async () => {
    const receiver = await receive(500, 302, 200)
    const client = await open({ partner: { webhookUrl: receiver.url, webhookRetryMs: 1 } })
    await deposit(client, 40_000)
    await client.advance(3_000)
    const texts = (await receiver.until(3)).map(({ text }) => text)
    expect(new Set(texts).size).toBe(1)
  })

  test('leave before the answer where the settings have it so', async () => {
    const receiver = await receive(200)
    const client = await open({
      speed: 1,
      partner: { webhookUrl: receiver.url, settings: { webhooks: { beforeAnswer: 1 } } },
    })
    let isAnswered = false
    const answered = deposit(client, 40_000).then(() => (isAnswered = true))
    await receiver.until(1)
    expect(isAnswered).toBe(false)
    await answered
  })

  test('can be sent twice, lost, or to another receiver', async () => {
    const receiver = await receive(200)
    const client = await open()
    expect((await client.control('webhooks', { url: 'ftp://nowhere' })).status).toBe(400)
    await client.control('webhooks', { url: receiver.url })
    await client.control('settings', { webhooks: { lost: 1 } })
    await deposit(client, 40_000)
    await client.advance(3_000)
    await client.control('settings', { webhooks: { lost: 0, duplicate: 1 } })
    await deposit(client, 50_000)
    await client.advance(3_000)
    const events = await receiver.until(2)
    expect(
      events.map(({ text }) => (JSON.parse(text) as { data: { amountTzs: number } }).data.amountTzs),
    ).toEqual([50_000, 50_000])
  })

  test.each([
    ['milliseconds', /^\d{13}$/],
    ['iso', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ] as const)('may have their timestamp in the form of %s', async (webhookTimestamp, form) => {
    const receiver = await receive(200)
    const client = await open({ partner: { webhookUrl: receiver.url, webhookTimestamp } })
    await deposit(client, 40_000)
    await client.advance(3_000)
    expect((await receiver.until(1))[0]?.headers['x-webhook-timestamp']).toMatch(form)
  })
})

describe('the control API of the partner side', () => {
  test('pays a bank reference, moves resources on in their order, and shows all of it', async () => {
    const client = await open({ partner: { settings: { paysInstructions: false } } })
    const { partner, control, ownerId, ask } = client
    const asked = await partner('POST', '/deposits', {
      userId: ownerId,
      amountTzs: 80_000,
      paymentMethod: 'bank_transfer',
    })
    const { reference } = asked.json
    expect(await control('pay', { reference, amountTzs: 79_000 })).toMatchObject({
      status: 200,
      json: { ok: true },
    })
    const id = String(asked.json['id'])
    expect(await control(`deposit/${id}/completed`)).toMatchObject({ status: 200 })
    expect(await control(`deposit/${id}/failed`)).toMatchObject({
      status: 409,
      json: { error: expect.stringContaining('completed') },
    })
    expect((await partner('GET', `/users/${ownerId}`)).json).toMatchObject({ balanceTzs: 79_000 })
    expect(await control('deposit/unknown/failed')).toMatchObject({ status: 404 })
    expect(await control('horse/unknown/failed')).toMatchObject({ status: 404 })
    expect(await control(`user/${ownerId}/frozen`)).toMatchObject({ status: 200 })
    const transfer = { fromUserId: ownerId, amountTzs: 1, toAddress: ownerId }
    expect((await partner('POST', '/transfers', transfer)).json).toMatchObject({ error: 'wallet_frozen' })
    const { json } = await ask('GET', '/sandbox/state')
    expect(json['partner']).toMatchObject({
      keys: [{ apiKey: 'svc_test_sandbox', deposits: [{ id, status: 'completed', amountTzs: 80_000 }] }],
      supply: { mintedTzs: 79_000, burnedTzs: 0 },
    })
  })

  test('spoils the next answers: any code, late, doubled', async () => {
    const { control, partner, ownerId, advance } = await open()
    const body = { userId: ownerId, amountTzs: 600, phoneNumber: '0754123456' }
    await control('next', { kind: 'refuse', route: 'POST /deposits', code: 'database_error' })
    expect(await partner('POST', '/deposits', body)).toMatchObject({
      status: 500,
      json: { error: 'database_error' },
    })
    await control('next', { kind: 'doubled', route: 'POST /deposits' })
    await partner('POST', '/deposits', body)
    await control('next', { kind: 'late', ms: 5_000, route: 'POST /deposits' })
    const late = partner('POST', '/deposits', body)
    await advance(4_999)
    await advance(1)
    expect((await late).status).toBe(201)
    await advance(3_000)
    expect((await partner('GET', `/users/${ownerId}`)).json).toMatchObject({ balanceTzs: 1_800 })
    expect((await control('next', { kind: 'explodes' })).status).toBe(400)
  })

  test('loses answers of requests that were carried out, as on the LP side', async () => {
    const { inject, partner, ownerId, advance } = await open()
    const body = { userId: ownerId, amountTzs: 600, phoneNumber: '0754123456' }
    await inject({ nextRequest: { kind: 'reset-after', route: 'POST /deposits' } })
    await expect(partner('POST', '/deposits', body, { 'idempotency-key': 'k' })).rejects.toThrow()
    expect((await partner('POST', '/deposits', body, { 'idempotency-key': 'k' })).status).toBe(201)
    await advance(3_000)
    expect((await partner('GET', `/users/${ownerId}`)).json).toMatchObject({ balanceTzs: 600 })
  })

  test.each([
    ['settings', { nonsense: 1 }],
    ['settings', { fees: { transferBps: -1 } }],
    ['settings', { allowList: ['not an address'] }],
    ['settings', 'text'],
    ['fund', { address: '0x0000000000000000000000000000000000000001', asset: 'USDC', amount: '1' }],
    ['fund', { address: 'x' }],
    ['pay', {}],
  ])('%s refuses %j with a sentence and changes nothing', async (path, body) => {
    const { control, ask } = await open()
    const before = (await ask('GET', '/sandbox/state')).json
    const refused = await control(path, body)
    expect([400, 404]).toContain(refused.status)
    expect(refused.json).toMatchObject({ error: expect.any(String) })
    expect((await ask('GET', '/sandbox/state')).json).toEqual(before)
  })
})
