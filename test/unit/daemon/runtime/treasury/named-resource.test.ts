import { expect, test } from 'vitest'
import type { LoadedTreasury } from '../../../../../src/daemon/config/load/treasury.ts'
import { type Named, whyNotOurs } from '../../../../../src/daemon/runtime/treasury/named-resource.ts'
import type { Leg, LegKind } from '../../../../../src/treasury/model/intent.ts'
import { treasuryConfig, TZS } from '../../../../support/treasury-harness.ts'

const OWN = {
  core: treasuryConfig(),
  lpWallet: '0xaa',
  phone: '0754000111',
  treasuryAddress: '0xbb',
} as unknown as LoadedTreasury & { readonly treasuryAddress: string }

function legOf(kind: LegKind, more: Partial<Leg> = {}): Leg {
  const amounts = { amount: 505n * TZS, leastReceived: 500n * TZS }
  return { kind, ...amounts, payee: null, to: 'treasury', quote: null, ...more } as Leg
}

const quote = { recipientName: 'JANE DOE' } as Leg['quote']
const payout = legOf('withdrawal', { payee: 'landlord', quote })
const toPhone = legOf('withdrawal', { payee: 'newcomer', quote })
const paid = { receiveAmountTzs: 500n }

test.each<[string, Leg, Named, boolean]>([
  ['a payout to our account', payout, { ...paid, accountNumber: '0150' }, true],
  ['one to another account', payout, { ...paid, accountNumber: '10150' }, false],
  ['one of another amount', payout, { receiveAmountTzs: 505n, accountNumber: '0150' }, false],
  ['one without an amount', payout, { accountNumber: '0150' }, false],
  ['one to a phone for one to a bank', payout, { ...paid, phoneNumber: '0700000001' }, false],
  ['one to our phone, written otherwise', toPhone, { ...paid, phoneNumber: '0700000001' }, true],
  ['one that names who the quote named', payout, { ...paid, recipientName: 'JANE DOE' }, true],
  ['one that names another recipient', payout, { ...paid, recipientName: 'JOHN ROE' }, false],
  ['one that states no destination', payout, paid, false],
  ['a deposit for our user', legOf('deposit'), { amountTzs: 505n, userId: 'a-user' }, true],
  ['a deposit for another one', legOf('deposit'), { amountTzs: 505n, userId: 'b-user' }, false],
  ['a deposit without a user', legOf('deposit'), { amountTzs: 505n, userId: null }, false],
  ['an on-ramp to the treasury', legOf('onramp'), { tzsAmount: 505n, destinationAddress: '0xBB' }, true],
  [
    'an on-ramp to the LP wallet',
    legOf('onramp', { to: 'lpWallet' }),
    { tzsAmount: 505n, destinationAddress: '0xaa' },
    true,
  ],
  ['an on-ramp elsewhere', legOf('onramp'), { tzsAmount: 505n, destinationAddress: '0xcc' }, false],
  ['an off-ramp to our line', legOf('offramp'), { tzsAmount: 500n, phoneNumber: '255754000111' }, true],
  ['an off-ramp to another line', legOf('offramp'), { tzsAmount: 500n, phoneNumber: '255754000112' }, false],
])('%s is followed only where it shows our amount and destination', (_what, leg, resource, isOurs) => {
  const not = whyNotOurs(OWN, leg, resource)
  expect(not === null).toBe(isOurs)
})
