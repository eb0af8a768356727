import { expect, test } from 'vitest'
import { mustConserve, partnerClient } from './partner-client.ts'

test('a reset wipes users and transactions, keeps the provider’s own user, and loses no unit', () => {
  const client = partnerClient({ partner: { owner: { NTZS: '500000' } } })
  const { ask, ownerId, partner, model } = client
  const created = ask('POST', '/users', {
    externalId: 'b',
    email: 'b@b.example',
    phone: '0754123456',
    nidaNumber: '19880101141210000125',
  })
  const before = ask('GET', `/users/${ownerId}`).json
  ask('POST', '/transfers', { fromUserId: ownerId, amountTzs: 7, toUserId: created.json['id'] })
  ask('POST', '/deposits', { userId: ownerId, amountTzs: 600, phoneNumber: '0754123456' })
  const payout = { userId: ownerId, amountTzs: 5_000, phoneNumber: '0754123402' }
  const { quoteId } = ask('POST', '/withdrawals/quote', payout).json
  expect(ask('POST', '/withdrawals', { ...payout, quoteId }).status).toBe(201)
  expect(ask('POST', '/testmode/reset', {})).toMatchObject({ status: 200 })
  expect(ask('GET', `/users/${String(created.json['id'])}`).status).toBe(404)
  expect(ask('GET', `/users/${ownerId}`).json).toEqual(before)
  expect([partner.deposits.size, partner.withdrawals.size, partner.pending.size]).toEqual([0, 0, 0])
  expect(model.partner.outbox).toEqual([])
  mustConserve(client)
  client.wait(10_000)
  expect(ask('GET', `/users/${ownerId}`).json).toEqual(before)
  expect(ask('GET', '/reconcile').json).toMatchObject({ isReconciled: true })
})
