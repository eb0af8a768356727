import { expect, test } from 'vitest'
import { prepareLeg } from '../../../../../src/daemon/runtime/treasury/perform-legs.ts'
import type { Performing } from '../../../../../src/daemon/runtime/treasury/performer-parts.ts'
import {
  plannedLeg,
  plannedStep,
  treasuryConfig,
  TreasuryHarness,
} from '../../../../support/treasury-harness.ts'

const ID = 'c'.repeat(32)

function prepared(payee: string | null, calls: object) {
  const harness = new TreasuryHarness()
  const leg = plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', payee })
  harness.plan(ID, plannedStep([leg], { route: 'rebalance' }))
  const parts = {
    client: { calls },
    config: () => ({ core: treasuryConfig(), lpWallet: '0xlp', phone: null }),
    treasuryAddress: () => null,
    state: () => harness.state,
    clock: { now: () => 7 },
    chain: null,
    log: () => undefined,
  }
  return prepareLeg(parts as unknown as Performing, { intent: ID, leg: 0 })
}

test('a call that can be built is an attempt with a key of its own', async () => {
  const events = await prepared(null, { createTransfer: () => ({ body: '{"a":1}' }) })
  expect(events).toMatchObject([{ type: 'attemptPrepared', n: 1, body: '{"a":1}', block: null }])
})

test.each([
  [
    'a payee without an address',
    'landlord',
    { createTransfer: () => ({ body: '{}' }) },
    'landlord has no address on the chain',
  ],
  ['a call without a body', null, { createTransfer: () => ({ body: null }) }, 'the call has no body'],
  [
    'parameters that the contract does not take',
    null,
    {
      createTransfer: () => {
        throw new Error('amountTzs: too small')
      },
    },
    'amountTzs: too small',
  ],
])('%s is an event of the journal with its reason', async (_what, payee, calls, words) => {
  expect(await prepared(payee, calls)).toEqual([{ type: 'prepareFailed', t: 7, intent: ID, leg: 0, words }])
})
