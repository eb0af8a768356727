import { createServer, type IncomingMessage, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { BAD } from '../../contract/partner/bad-bodies.ts'
import { PAYMENTS, payOverHttp } from '../../contract/partner/pay-over-http.ts'

// The treasury with its real calls, at a venue over HTTP that takes no notice of keys, whose answers on one route are replaced
// by one that cannot be right, although the venue did what was asked. The result is one payment, and no figure without a source.

let proxy: Server | null = null
afterEach(() => {
  proxy?.close()
  proxy?.closeAllConnections()
  proxy = null
})

/** Stands before a venue and replaces its answers to the requests that `isReplaced` names. */
async function standBefore(
  url: string,
  isReplaced: (route: string) => boolean,
  body: string,
): Promise<string> {
  const server = createServer((request, response) => {
    void pass(url, request).then((answer) => {
      const route = `${request.method} ${(request.url ?? '').replace(/^\/api\/v1|\?.*$/g, '')}`
      response.writeHead(isReplaced(route) ? 200 : answer.status, { 'content-type': answer.type })
      response.end(isReplaced(route) ? body : answer.body)
    })
  })
  proxy = server
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return `http://127.0.0.1:${address.port}`
}

async function pass(url: string, request: IncomingMessage) {
  const { method = 'GET', url: path = '', headers } = request
  const body = method === 'GET' ? null : await buffer(request)
  const { authorization = '' } = headers
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body,
  })
  const type = answer.headers.get('content-type') ?? 'application/json'
  return { status: answer.status, type, body: Buffer.from(await answer.arrayBuffer()) }
}

const CASES = PAYMENTS.flatMap(([route, leg]) => Object.keys(BAD).map((what) => ({ route, leg, what })))

test.each(CASES)('$route that is answered with $what is one payment', async ({ route, leg, what }) => {
  const body = BAD[what as keyof typeof BAD]
  const { intent, sent, payments } = await payOverHttp(
    leg,
    () => Promise.resolve(),
    (url) => standBefore(url, (asked) => asked === route, body),
  )
  // The list of the ramp shows what became of it.
  const stage = leg.kind === 'onramp' || leg.kind === 'offramp' ? 'settled' : 'claim'
  expect(intent.legs[0]).toMatchObject({ stage, attempts: [{ sendings: 1 }] })
  if (stage === 'claim') expect(intent.legs[0]?.received).toBeNull()
  expect(sent.filter((name) => name === route)).toHaveLength(1)
  expect(payments).toBe(1)
})

const READS = [
  ['POST /deposits', /^GET \/deposits\//],
  ['POST /withdrawals', /^GET \/withdrawals\//],
  ['POST /ramp/onramp', /^GET \/ramp\//],
] as const
const READ_CASES = READS.flatMap(([paid, read]) => Object.keys(BAD).map((what) => ({ paid, read, what })))

test.each(READ_CASES)(
  '$paid whose reads are answered with $what is one payment, and not at its end',
  async (one) => {
    const { paid, read, what } = one
    const leg = PAYMENTS.find(([route]) => route === paid)?.[1]
    if (leg === undefined) throw new Error(`no payment over ${paid}`)
    const { intent, payments } = await payOverHttp(
      leg,
      () => Promise.resolve(),
      (url) => standBefore(url, (asked) => read.test(asked), BAD[what as keyof typeof BAD]),
    )
    expect(intent.legs[0]).toMatchObject({ attempts: [{ sendings: 1 }], received: null })
    expect(['known', 'in_transit']).toContain(intent.legs[0]?.stage)
    expect(payments).toBe(1)
  },
)

const PRICED = [
  ['POST /withdrawals', 'POST /withdrawals/quote'],
  ['POST /swap', 'GET /swap/rate'],
  ['POST /ramp/offramp', 'POST /ramp/quote'],
] as const
const PRICE_CASES = PRICED.flatMap(([paid, price]) => Object.keys(BAD).map((what) => ({ paid, price, what })))

test.each(PRICE_CASES)('$paid whose price ($price) is answered with $what is never sent', async (one) => {
  const { paid, price, what } = one
  const leg = PAYMENTS.find(([route]) => route === paid)?.[1]
  if (leg === undefined) throw new Error(`no payment over ${paid}`)
  const { intent, sent, payments } = await payOverHttp(
    leg,
    () => Promise.resolve(),
    (url) => standBefore(url, (asked) => asked === price, BAD[what as keyof typeof BAD]),
  )
  expect(intent.legs[0]).toMatchObject({ stage: 'planned', attempts: [] })
  expect(intent.legs[0]?.why).toContain(price)
  expect(sent.filter((name) => name === paid)).toEqual([])
  expect(payments).toBe(0)
})
