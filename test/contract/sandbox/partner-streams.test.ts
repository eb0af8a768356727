import { expect, onTestFinished, test } from 'vitest'
import { openPartnerVenue, type PartnerVenue, PHONE } from './partner-venue.ts'

async function open(): Promise<PartnerVenue> {
  const venue = await openPartnerVenue()
  onTestFinished(() => venue.sandbox.close())
  return venue
}

test('a swap over HTTP is a stream of data lines that ends, with and without /api in its path', async () => {
  const { post, ask, userId } = await open()
  const body = { userId, fromToken: 'USDC', toToken: 'TZS_TOKEN', amount: 10 }
  for (const send of [() => post('/swap', body), () => ask('POST', '/api/v1/swap', body)]) {
    const { status, headers, text } = await send()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream')
    const events = text.trimEnd().split('\n\n')
    expect(events.every((event) => event.startsWith('data: {'))).toBe(true)
    const statuses = events.map((event) => (JSON.parse(event.slice(6)) as { status: string }).status)
    expect(statuses).toEqual(['CHECKING', 'SENDING', 'FILLING', 'FILLED'])
  }
})

test('a refused swap is JSON and no stream', async () => {
  const { post, userId } = await open()
  const { status, headers } = await post('/swap', {
    userId,
    fromToken: 'USDC',
    toToken: 'TZS_TOKEN',
    amount: 10,
    minOutput: 9_000_000,
  })
  expect(status).toBe(409)
  expect(headers.get('content-type')).toContain('application/json')
})

test('an off-ramp is answered when its payout has ended, which a clock of the venue decides', async () => {
  const { post, quoteRamp, advance } = await open()
  const quoteId = await quoteRamp({ direction: 'offramp', tzsAmount: 10_000 })
  const reply = post('/ramp/offramp', { quoteId, phoneNumber: PHONE })
  const isAnsweredAfter = (ms: number) =>
    Promise.race([reply.then(() => true), advance(ms).then(() => false)])
  expect(await isAnsweredAfter(2_999)).toBe(false)
  // The clock may have moved before the request arrived, so it is moved until the answer is there.
  let isAnswered = false
  while (!isAnswered) isAnswered = await isAnsweredAfter(3_000)
  expect(await reply).toMatchObject({ status: 201, json: { status: 'completed' } })
})

test('the state of the venue shows payments, settlements, agents, floats and merchants as JSON', async () => {
  const venue = await open()
  await venue.spend()
  await venue.control('agents', { dailyTzs: 5_000 })
  await venue.post('/partners/sub-wallets', { label: 'bot' })
  await venue.post('/ramp/onramp', {
    quoteId: await venue.quoteRamp({ direction: 'onramp', tzsAmount: 10_000 }),
    phoneNumber: PHONE,
  })
  const response = await fetch(`${venue.sandbox.url}/sandbox/state`)
  const { partner } = (await response.json()) as { partner: Record<string, unknown> }
  expect(partner['merchants']).toEqual(
    expect.arrayContaining([expect.objectContaining({ handle: 'sample-shop', isAvailable: true })]),
  )
  expect((partner['keys'] as readonly unknown[])[0]).toMatchObject({
    spends: [{ principalTzs: 1_000, payoutStatus: 'pending' }],
    settlements: [{ direction: 'onramp', status: 'minting', tzs: 10_000 }],
    subWallets: [{ label: 'bot' }],
    agents: [{ dailyTzs: 5_000, isRevoked: false }],
  })
})
