import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDelivery } from '../../../../src/treasury/webhooks/delivery.ts'
import { createDeliveryMemory } from '../../../../src/treasury/webhooks/delivery-memory.ts'

const read = (body: unknown) =>
  readDelivery(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))

describe('what a webhook brought', () => {
  test.each([
    [
      { type: 'deposit.completed', data: { depositId: 'd1', amountTzs: 5, endUser: { reference: 'i1' } } },
      { event: 'deposit.completed', resourceId: 'd1', reference: 'i1', status: 'completed' },
    ],
    [
      {
        type: 'withdrawal.updated',
        data: { withdrawalId: 'w1', externalId: 'i2', status: 'burned', payoutStatus: 'reconcile_required' },
      },
      { event: 'withdrawal.updated', resourceId: 'w1', reference: 'i2', status: 'reconcile_required' },
    ],
    [
      { type: 'spend.updated', data: { spendId: 's1', status: 'completed', utilityToken: '12' } },
      { event: 'spend.updated', resourceId: 's1', reference: null, status: 'completed' },
    ],
    [
      { type: 'ramp.settlement.failed', data: { settlementId: 'r1', returnedAsTokenTo: '0xabc' } },
      { event: 'ramp.settlement.failed', resourceId: 'r1', reference: null, status: 'failed' },
    ],
    [
      { type: 'kyc.updated', data: { externalId: 'u1', kycStatus: 'approved' } },
      { event: 'kyc.updated', resourceId: 'u1', reference: 'u1', status: 'approved' },
    ],
    [
      { type: 'merchant.sale.completed', data: { collectionId: 'c1' } },
      { event: 'merchant.sale.completed', resourceId: 'c1', status: 'completed' },
    ],
    [
      { type: 'moon.landed', data: { id: 7 } },
      { event: 'moon.landed', resourceId: '7', status: 'landed' },
    ],
    [
      { event: 'withdrawal.updated', data: { id: 'w2', status: 'paid' }, timestamp: 1_795_410_000 },
      { event: 'withdrawal.updated', resourceId: 'w2', reference: null, status: 'paid' },
    ],
    [
      { event: 'deposit.completed', depositId: 'flat' },
      { event: 'deposit.completed', resourceId: 'flat', status: 'completed' },
    ],
  ])('%j is read', (body, wanted) => {
    expect(read(body)).toMatchObject(wanted)
  })

  test.each(['', 'null', '[]', '"text"', '{', '{"type":7e400}', '{"data":{}}'])(
    'that is signed and no event (%j) is kept as it came',
    (body) => {
      const hash = createHash('sha256').update(body).digest('hex')
      expect(read(body)).toEqual({
        event: 'unreadable',
        resourceId: null,
        reference: null,
        status: '',
        hash,
        body,
      })
    },
  )

  test('is read whatever bytes a venue sends', () => {
    const data = fc.dictionary(
      fc.constantFrom('depositId', 'id', 'status', 'payoutStatus', 'endUser', 'externalId', 'x'),
      fc.jsonValue(),
    )
    const documents = fc.record({ type: fc.jsonValue(), data: fc.oneof(data, fc.jsonValue()) })
    fc.assert(fc.property(documents, (document) => typeof read(document).event === 'string'))
    fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof readDelivery(bytes).event === 'string'))
  })
})

describe('the memory of deliveries', () => {
  const one = read({ type: 'deposit.completed', data: { depositId: 'd1' } })
  const otherBytes = read({ type: 'deposit.completed', data: { depositId: 'd1', livemode: false } })
  const later = read({ type: 'withdrawal.updated', data: { withdrawalId: 'd1', payoutStatus: 'completed' } })

  test('keeps a delivery once: the same bytes and the same fact in other bytes are repeats', async () => {
    const kept: string[] = []
    const memory = createDeliveryMemory({ now: () => 0, keep: async ({ hash }) => kept.push(hash) > 0 })
    const taken = await Promise.all([one, one, otherBytes, later].map(memory.take))
    expect(taken).toEqual(['kept', 'repeated', 'repeated', 'kept'])
    expect(kept).toEqual([one.hash, later.hash])
  })

  test('answers a repeat only once the first delivery is durable, and keeps the repeat if that failed', async () => {
    const first = Promise.withResolvers<boolean>()
    const outcomes = [first.promise, Promise.resolve(true)]
    const memory = createDeliveryMemory({
      now: () => 0,
      keep: () => outcomes.shift() ?? Promise.resolve(false),
    })
    const both = [memory.take(one), memory.take(one)]
    first.resolve(false)
    expect(await Promise.all(both)).toEqual(['lost', 'lost'])
    expect(await memory.take(one)).toBe('kept')
  })

  test('knows what an earlier process kept, and forgets it after three days', async () => {
    let now = 100 * 3_600_000
    const memory = createDeliveryMemory({ now: () => now, keep: async () => true })
    memory.remember(one, now)
    expect(await memory.take(otherBytes)).toBe('repeated')
    now += 77 * 3_600_000
    await memory.take(later)
    expect(await memory.take(one)).toBe('kept')
  })

  test('is bounded: of any number of deliveries the latest are remembered', async () => {
    const memory = createDeliveryMemory({ now: () => 0, keep: async () => true })
    for (let n = 0; n < 25_000; n += 1) memory.remember({ ...one, resourceId: null, hash: String(n) }, 0)
    expect(await memory.take({ ...one, resourceId: null, hash: '24999' })).toBe('repeated')
    expect(await memory.take({ ...one, resourceId: null, hash: '1' })).toBe('kept')
  })
})
