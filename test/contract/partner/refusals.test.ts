import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PartnerClient } from '../../../src/treasury/api/client.ts'
import { PARTNER_CODES, readCode } from '../../../src/treasury/api/refusals.ts'
import { openSimulated } from './place.ts'

// The venue refuses with each code of the contract in turn, on a read and on a payment. What is counted are requests that
// arrived at it.

const CODES = PARTNER_CODES.filter((code) => readCode(code).statuses[0] !== 202)
const PAYOUT = { amountTzs: 5_000n, userId: 'u', phoneNumber: '255754000345' }

// One venue refuses them all: each test has it refuse as often as the client may ask.
let venue: Awaited<ReturnType<typeof openSimulated>>
beforeAll(async () => {
  venue = await openSimulated()
})
afterAll(() => venue.close())

async function refusing(
  { code, route, count }: { readonly code: string; readonly route: string; readonly count: number },
  ask: (client: PartnerClient) => Promise<object>,
) {
  const { client, control, routes, box } = venue
  await control('partner/next', { kind: 'refuse', route, code, count, details: { why: 'test' } })
  const requests = () => box.model.state.counters['requests'] ?? 0
  const [before, sentBefore] = [requests(), routes.length]
  const outcome = await ask(client)
  return { outcome, sent: routes.length - sentBefore, arrived: requests() - before }
}

describe('a refusal with', () => {
  test.each(CODES)('%s of a read is repeated only where the contract lets it be', async (code) => {
    const { retry } = readCode(code)
    const count = retry === 'backoff' ? 3 : 1
    const { outcome, sent } = await refusing({ code, route: 'GET /ramp/balance', count }, (client) =>
      client.rampBalance({}),
    )
    expect(outcome).toMatchObject({ kind: 'refused', code, retry, details: { why: 'test' } })
    expect(sent).toBe(count)
  })

  test.each(CODES)('%s of a payment is one request on the wire', async (code) => {
    const { outcome, sent, arrived } = await refusing(
      { code, route: 'POST /withdrawals', count: 1 },
      (client) => client.createWithdrawal(PAYOUT),
    )
    const isThere = code === 'duplicate_withdrawal' || code === 'idempotency_key_used'
    expect(outcome).toMatchObject(
      readCode(code).statuses[0] === 500
        ? { kind: 'unknown', sent: 'yes', status: 500 }
        : { kind: 'refused', code, retry: isThere ? 'verify' : readCode(code).retry },
    )
    expect([sent, arrived]).toEqual([1, 1])
  })
})
