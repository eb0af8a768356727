import { describe, expect, test } from 'vitest'
import type { SeenTransfer } from '../../../../../src/custody/chain/token-finder.ts'
import { findLeg } from '../../../../../src/daemon/runtime/treasury/perform-legs.ts'
import type { ClaimEvidence, Leg } from '../../../../../src/treasury/model/intent.ts'
import { treasuryConfig, TZS } from '../../../../support/treasury-harness.ts'

const ID = 'a'.repeat(32)
const HASH = `0x${'1'.repeat(64)}` as const
const AMOUNT = 500_000n * TZS

/** What the finders bring of a leg, before a chain and a list of webhooks. */
async function find(change: Partial<Leg>, seen: readonly SeenTransfer[], webhooks: readonly object[] = []) {
  const leg = {
    kind: 'transfer',
    asset: 'NTZS',
    amount: AMOUNT,
    leastReceived: AMOUNT,
    payee: null,
    sentAt: 1_000,
    reference: null,
    attempts: [{ n: 1, block: 7n }],
    ...change,
  } as unknown as Leg
  const state = { intents: { [ID]: { legs: [leg] } } }
  const parts = {
    state: () => state,
    clock: { now: () => 5_000 },
    config: () => ({ core: treasuryConfig(), lpWallet: '0xbb' }),
    treasuryAddress: () => '0xaa',
    chain: { transfers: async () => ({ ok: true, value: seen }) },
    webhooks: () => webhooks,
  }
  const events = await findLeg(parts as never, { intent: ID, leg: 0, n: 1 })
  return events.map((event) => (event.type === 'findingSeen' ? event : null))
}

const deposited = {
  type: 'webhookSeen',
  t: 2_000,
  event: 'deposit.completed',
  status: 'completed',
  body: JSON.stringify({ data: { depositId: 'd-1', userId: 'a-user', amountTzs: 500_000 } }),
}
const DEPOSIT = { kind: 'deposit', from: 'bank', to: 'treasury' } as const

describe('the finders', () => {
  test('end a silent attempt by the transfer on chain, or by the webhook of its amount', async () => {
    const transfer = await find({ stage: 'silent' }, [{ hash: HASH, amount: AMOUNT }])
    expect(transfer).toMatchObject([{ found: { reference: HASH, received: AMOUNT } }])
    const deposit = await find({ stage: 'silent', ...DEPOSIT }, [], [deposited])
    expect(deposit).toMatchObject([{ found: { reference: 'd-1', resourceId: 'd-1', received: AMOUNT } }])
  })

  test('that see nothing give the reasons, and candidates where more than one transfer fits', async () => {
    const [nothing] = await find({ stage: 'silent' }, [])
    expect(nothing).toMatchObject({
      found: null,
      words: 'no webhook names it, and the chain log has no transfer of its amount, with or without a fee',
    })
    expect(nothing).not.toHaveProperty('candidates')
    const two = [AMOUNT - TZS, AMOUNT - 2n * TZS].map((amount) => ({ hash: HASH, amount }))
    expect(await find({ stage: 'silent' }, two)).toMatchObject([
      { found: null, candidates: [{ by: 'chain', received: AMOUNT - TZS }, { by: 'chain' }] },
    ])
  })

  test('end no claim: what they see so late is evidence, and what is known already is not told again', async () => {
    const claim = { stage: 'claim' } as const
    expect(await find(claim, [{ hash: HASH, amount: AMOUNT }])).toMatchObject([
      { found: null, candidates: [{ by: 'chain', reference: HASH, received: AMOUNT }] },
    ])
    expect(await find({ ...claim, ...DEPOSIT }, [], [deposited])).toMatchObject([
      { found: null, candidates: [{ by: 'webhook', reference: 'd-1', received: AMOUNT }] },
    ])
    const evidence = [{ reference: HASH } as ClaimEvidence]
    expect(await find({ ...claim, evidence }, [{ hash: HASH, amount: AMOUNT }])).toEqual([])
    expect(await find(claim, [])).toEqual([])
  })
})
