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
const toBank = { payee: 'landlord', quote } as const
const toPhone = { payee: 'newcomer', quote } as const

test.each<[string, Leg, Named, boolean]>([
  [
    'a payout to our account',
    legOf('withdrawal', toBank),
    { receiveAmountTzs: 500n, accountNumber: '0150' },
    true,
  ],
  [
    'one to another account',
    legOf('withdrawal', toBank),
    { receiveAmountTzs: 500n, accountNumber: '10150' },
    false,
  ],
  [
    'one of another amount',
    legOf('withdrawal', toBank),
    { receiveAmountTzs: 505n, accountNumber: '0150' },
    false,
  ],
  ['one without an amount', legOf('withdrawal', toBank), { accountNumber: '0150' }, false],
  [
    'one to a phone for one to a bank',
    legOf('withdrawal', toBank),
    { receiveAmountTzs: 500n, phoneNumber: '0700000001' },
    false,
  ],
  [
    'one to our phone, written otherwise',
    legOf('withdrawal', toPhone),
    { receiveAmountTzs: 500n, phoneNumber: '0700000001' },
    true,
  ],
  [
    'one that names who the quote named',
    legOf('withdrawal', toBank),
    { receiveAmountTzs: 500n, recipientName: 'JANE DOE' },
    true,
  ],
  [
    'one that names another recipient',
    legOf('withdrawal', toBank),
    { receiveAmountTzs: 500n, recipientName: 'JOHN ROE' },
    false,
  ],
  ['one that states no destination', legOf('withdrawal', toBank), { receiveAmountTzs: 500n }, false],
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
