import { afterEach, expect, test } from 'vitest'
import { BAD } from '../../contract/partner/bad-bodies.ts'
import { PAYMENTS, payOverHttp } from '../../contract/partner/pay-over-http.ts'
import { startHttpProxy, type HttpProxy } from '../custody/http-proxy.ts'

// The treasury with its real calls, at a venue over HTTP that takes no notice of keys, whose answers on one route are replaced
// by one that cannot be right, although the venue did what was asked. The result is one payment, and no figure without a source.

let proxy: HttpProxy | null = null
afterEach(async () => {
  await proxy?.close()
  proxy = null
})

/** Stands before a venue and replaces its answers to the requests that `isReplaced` names. */
async function standBefore(
  url: string,
  isReplaced: (route: string) => boolean,
  text: string,
): Promise<string> {
  proxy = await startHttpProxy(url)
  proxy.rules.onAnswer = ({ method, path }, answered) =>
    isReplaced(`${method} ${path.replace(/^\/api\/v1|\?.*$/g, '')}`)
      ? { ...answered, status: 200, text }
      : answered
  return proxy.url
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
