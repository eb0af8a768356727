import { expect, test } from 'vitest'
import { partnerClient } from './partner-client.ts'

test('supply follows what is minted and burned, and agrees with the wallets', () => {
  const { ask, ownerId, wait } = partnerClient({
    partner: { owner: { NTZS: '500000' }, settings: { reconcileMsAWallet: 20 } },
  })
  const supply = () => Number(ask('GET', '/supply').json['totalSupplyTzs'])
  const opening = supply()
  ask('POST', '/deposits', { userId: ownerId, amountTzs: 700_000, phoneNumber: '0754123456' })
  wait(3_000)
  expect(supply() - opening).toBe(700_000)
  const payout = { userId: ownerId, amountTzs: 5_000, phoneNumber: '0754123402' }
  const { quoteId } = ask('POST', '/withdrawals/quote', payout).json
  ask('POST', '/withdrawals', { ...payout, quoteId })
  wait(3_000)
  expect(supply() - opening).toBe(700_000 - 5_500)
  const reconciled = ask('GET', '/reconcile')
  expect(reconciled.json).toMatchObject({
    onChainSupplyTzs: supply(),
    dbTotalBalanceTzs: supply(),
    difference: 0,
    isReconciled: true,
    chain: 'base',
    contractAddress: expect.stringMatching(/^0x/),
  })
  expect(reconciled.delayMs).toBe(20 * Number(reconciled.json['walletsChecked']))
})
