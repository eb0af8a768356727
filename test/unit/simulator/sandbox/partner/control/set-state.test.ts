import { describe, expect, test } from 'vitest'
import { issueAgent } from '../../../../../../src/simulator/sandbox/partner/agents/agents.ts'
import { setState } from '../../../../../../src/simulator/sandbox/partner/control/control.ts'
import { mustConserve, partnerClient, type PartnerClient } from '../partner-client.ts'

const open = () => partnerClient({ partner: { owner: { NTZS: '100000' }, settings: { settleMs: 60_000 } } })

const set = ({ model }: PartnerClient, kind: string, id: string, state: string) =>
  setState(model.partner, { kind, id, state }, {})

function pay({ ask, ownerId }: PartnerClient, payNumber: string): string {
  const body = { userId: ownerId, kind: 'lipa', payNumber, amountTzs: 10_000 }
  const { quoteId } = ask('POST', '/spend/quote', body).json
  return ask('POST', '/spend', { ...body, quoteId }).json['id'] as string
}

function offramp({ ask }: PartnerClient, phoneNumber: string): string {
  const { quoteId } = ask('POST', '/ramp/quote', { direction: 'offramp', tzsAmount: 10_000 }).json
  return ask('POST', '/ramp/offramp', { quoteId, phoneNumber }).json['settlementId'] as string
}

describe('a payment of a till, by the word of the operator', () => {
  test('that is unconfirmed is resolved either way, reported again, and then has ended', () => {
    const client = open()
    const [paid, refunded] = [pay(client, '512302'), pay(client, '512302')]
    client.wait(60_000)
    expect(set(client, 'spend', paid, 'completed').ok).toBe(true)
    expect(set(client, 'spend', refunded, 'reverted').ok).toBe(true)
    expect(set(client, 'spend', refunded, 'completed')).toMatchObject({
      error: { status: 409, sentence: 'from reverted there is no way to completed' },
    })
    expect(client.ask('GET', `/users/${client.ownerId}`).json['balanceTzs']).toBe(89_600)
    expect(client.model.partner.outbox.filter(({ type }) => type === 'spend.updated')).toHaveLength(4)
    mustConserve(client)
  })

  test('that was brought forward does not end a second time by itself', () => {
    const client = open()
    const id = pay(client, '512345')
    expect(set(client, 'spend', id, 'reconcile_required').ok).toBe(true)
    expect(set(client, 'spend', id, 'reconcile_required').ok).toBe(false)
    expect(set(client, 'spend', id, 'elsewhere').ok).toBe(false)
    client.wait(600_000)
    expect(client.ask('GET', `/spend/${id}`).json['payoutStatus']).toBe('reconcile_required')
  })
})

describe('a settlement of the ramp, by the word of the operator', () => {
  test('that stays under way is completed or failed, once', () => {
    const client = open()
    const [paid, returned] = [offramp(client, '0754000199'), offramp(client, '0754000199')]
    expect(set(client, 'settlement', paid, 'completed').ok).toBe(true)
    expect(set(client, 'settlement', returned, 'failed').ok).toBe(true)
    expect(set(client, 'settlement', returned, 'completed').ok).toBe(false)
    expect(client.ask('GET', '/ramp/balance').json['tokenBalance']).toBe('10500')
    mustConserve(client)
  })

  test('of an on-ramp has no state of its own for what is unconfirmed', () => {
    const client = open()
    const { quoteId } = client.ask('POST', '/ramp/quote', { direction: 'onramp', tzsAmount: 10_099 }).json
    const { json } = client.ask('POST', '/ramp/onramp', { quoteId, phoneNumber: '0754000123' })
    const id = json['settlementId'] as string
    expect(set(client, 'settlement', id, 'reconcile_required').ok).toBe(false)
    expect(set(client, 'settlement', id, 'completed').ok).toBe(true)
    mustConserve(client)
  })
})

test('an agent is issued for a known key, within the schema, and revoked without a way back', () => {
  const client = open()
  const issued = issueAgent(client.model.partner, { perTransactionTzs: 1_000 })
  const key = issued.ok ? issued.value.key : ''
  expect(client.ask('GET', '/spend/billers', undefined, { key }).status).toBe(200)
  expect(set(client, 'agent', key, 'restored').ok).toBe(false)
  expect(set(client, 'agent', key, 'revoked').ok).toBe(true)
  expect(client.ask('GET', '/spend/billers', undefined, { key }).status).toBe(403)
  expect(issueAgent(client.model.partner, { issuer: 'svc_test_other' })).toMatchObject({
    error: { status: 404 },
  })
  expect(issueAgent(client.model.partner, { perTransactionTzs: -1 })).toMatchObject({
    error: { status: 400 },
  })
})

test('a merchant is made unavailable and available again by its id', () => {
  const client = open()
  const id = [...client.model.partner.commerce.merchants.keys()][0] ?? ''
  const body = { payerUserId: client.ownerId, handle: 'sample-shop', amountTzs: 500 }
  expect(set(client, 'merchant', id, 'closed').ok).toBe(false)
  expect(set(client, 'merchant', id, 'unavailable').ok).toBe(true)
  expect(client.ask('POST', '/merchant/pay', body).status).toBe(403)
  expect(set(client, 'merchant', id, 'available').ok).toBe(true)
  expect(client.ask('POST', '/merchant/pay', body).status).toBe(201)
})
