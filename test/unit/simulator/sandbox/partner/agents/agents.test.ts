import { describe, expect, test } from 'vitest'
import { issueAgent } from '../../../../../../src/simulator/sandbox/partner/agents/agents.ts'
import { setState } from '../../../../../../src/simulator/sandbox/partner/control/control.ts'
import { partnerClient, type PartnerClient } from '../partner-client.ts'

const TILL = { kind: 'lipa', payNumber: '512345' }

function payFrom({ ask }: PartnerClient, source: object, amountTzs: number, key?: string) {
  const more = key === undefined ? {} : { key }
  const body = { ...source, ...TILL, amountTzs, endUser: { reference: 'a' } }
  const { quoteId } = ask('POST', '/spend/quote', body, more).json
  return ask('POST', '/spend', { ...body, quoteId }, more)
}

function floatOf(client: PartnerClient, tzs: number): string {
  const { status, json } = client.ask('POST', '/partners/sub-wallets', { label: 'bot' })
  expect(status).toBe(201)
  expect(json).toMatchObject({ label: 'bot', address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) })
  client.ask('POST', '/transfers', { fromUserId: client.ownerId, toAddress: json['address'], amountTzs: tzs })
  return json['id'] as string
}

const rich = (settings: object = {}) =>
  partnerClient({ partner: { owner: { NTZS: '9000000' }, platformNtzs: '9000000', settings } })

describe('a float of an agent', () => {
  test('pays from its own balance, is funded at its address, and gets a reverted payment back', () => {
    const client = rich()
    const subWalletId = floatOf(client, 20_000)
    expect(payFrom(client, { subWalletId }, 10_000).status).toBe(201)
    expect(payFrom(client, { subWalletId }, 10_000).json).toMatchObject({ error: 'quote_required' })
    const body = { subWalletId, kind: 'lipa', payNumber: '512313', amountTzs: 5_000 }
    const { quoteId } = client.ask('POST', '/spend/quote', body).json
    client.ask('POST', '/spend', { ...body, quoteId })
    client.wait(3_000)
    expect(client.ask('POST', '/spend/quote', body).json['balance']).toMatchObject({ availableTzs: 9_600 })
  })

  test('pays a million at once, two in a day and sixty in thirty days, and a user has no such caps', () => {
    const client = rich()
    const subWalletId = floatOf(client, 8_000_000)
    for (let i = 0; i < 2; i++) expect(payFrom(client, { subWalletId }, 900_000).status).toBe(201)
    expect(payFrom(client, { subWalletId }, 900_000).json).toMatchObject({
      error: 'amount_too_large',
      details: { limit: 2_000_000 },
    })
    client.wait(86_400_000)
    expect(payFrom(client, { subWalletId }, 900_000).status).toBe(201)
    const user = partnerClient({ partner: { owner: { NTZS: '9000000' } } })
    for (let i = 0; i < 3; i++) expect(payFrom(user, { userId: user.ownerId }, 900_000).status).toBe(201)
  })

  test('refused for a cap carries the code of the settings', () => {
    const client = rich({ limitCode: 'invalid_amount' })
    const subWalletId = floatOf(client, 8_000_000)
    for (let i = 0; i < 2; i++) payFrom(client, { subWalletId }, 900_000)
    expect(payFrom(client, { subWalletId }, 900_000).json).toMatchObject({ error: 'invalid_amount' })
  })

  test('needs the capability, the KYB and a label', () => {
    const make = (settings: object, body: object = { label: 'x' }) =>
      rich(settings).ask('POST', '/partners/sub-wallets', body)
    expect(make({ capabilities: [] }).json).toMatchObject({ error: 'capability_required' })
    expect(make({ kyb: 'pending' }).json).toMatchObject({ error: 'kyb_required' })
    expect(make({}, {}).json).toMatchObject({ error: 'missing_required_fields' })
    expect(payFrom(rich(), { subWalletId: 'none' }, 1_000).json).toMatchObject({ error: 'quote_required' })
  })
})

describe('a credential of an agent', () => {
  const issue = (client: PartnerClient, wanted: object) => {
    const issued = issueAgent(client.model.partner, wanted)
    if (!issued.ok) throw new Error(JSON.stringify(issued.error.body))
    return issued.value.key
  }

  test('pays within its caps at once and in 24 hours, counted for itself', () => {
    const client = rich()
    const key = issue(client, { perTransactionTzs: 50_000, dailyTzs: 80_000 })
    const source = { userId: client.ownerId }
    expect(payFrom(client, source, 45_000, key).status).toBe(201)
    expect(payFrom(client, source, 60_000, key)).toMatchObject({
      status: 403,
      json: { code: 'agent_per_txn_cap_exceeded', details: { limit: 50_000 } },
    })
    expect(payFrom(client, source, 45_000, key)).toMatchObject({
      status: 403,
      json: { code: 'agent_daily_cap_exceeded', details: { limit: 80_000, usedInPeriod: 45_780 } },
    })
    expect(payFrom(client, source, 45_000).status).toBe(201)
    client.wait(86_400_000)
    expect(payFrom(client, source, 45_000, key).status).toBe(201)
  })

  test('may do what it was granted and nothing after it is revoked or has expired', () => {
    const client = rich()
    const key = issue(client, { lifeMs: 60_000 })
    const look = (path: string) => client.ask('GET', path, undefined, { key })
    expect(look('/spend/billers').status).toBe(200)
    expect(look('/ramp/balance')).toMatchObject({ status: 403, json: { error: 'capability_required' } })
    client.wait(60_000)
    expect(look('/spend/billers')).toMatchObject({ status: 403, json: { code: 'agent_credential_expired' } })
    const other = issue(client, {})
    const revoke = (id: string) => setState(client.model.partner, { kind: 'agent', id, state: 'revoked' }, {})
    expect(revoke(other).ok).toBe(true)
    expect(client.ask('GET', '/spend/billers', undefined, { key: other })).toMatchObject({
      status: 403,
      json: { code: 'agent_credential_revoked' },
    })
    expect(revoke('none').ok).toBe(false)
  })
})
