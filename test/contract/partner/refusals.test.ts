import { describe, expect, test } from 'vitest'
import type { PartnerClient } from '../../../src/treasury/api/client.ts'
import { PARTNER_CODES, readCode } from '../../../src/treasury/api/refusals.ts'
import { simulated } from './place.ts'

// The venue refuses with each code of the contract in turn, on a read and on a payment. What is counted are requests that
// arrived at it.

const CODES = PARTNER_CODES.filter((code) => readCode(code).statuses[0] !== 202)
const PAYOUT = { amountTzs: 5_000n, userId: 'u', phoneNumber: '255754000345' }

async function refusing(code: string, route: string, ask: (client: PartnerClient) => Promise<object>) {
  const { client, control, routes, box } = await simulated()
  await control('partner/next', { kind: 'refuse', route, code, count: 9, details: { why: 'test' } })
  const requests = () => box.model.state.counters['requests'] ?? 0
  const before = requests()
  const outcome = await ask(client)
  return { outcome, sent: routes.length, arrived: requests() - before }
}

describe('a refusal with', () => {
  test.each(CODES)('%s of a read is repeated only where the contract lets it be', async (code) => {
    const { retry } = readCode(code)
    const { outcome, sent } = await refusing(code, 'GET /ramp/balance', (client) => client.rampBalance({}))
    expect(outcome).toMatchObject({ kind: 'refused', code, retry, details: { why: 'test' } })
    expect(sent).toBe(retry === 'backoff' ? 3 : 1)
  })

  test.each(CODES)('%s of a payment is one request on the wire', async (code) => {
    const { outcome, sent, arrived } = await refusing(code, 'POST /withdrawals', (client) =>
      client.createWithdrawal(PAYOUT),
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
