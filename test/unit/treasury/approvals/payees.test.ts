import { describe, expect, test } from 'vitest'
import type { Payee, TreasuryConfig } from '../../../../src/treasury/model/config.ts'
import { TreasuryHarness, treasuryConfig } from '../../../support/treasury-harness.ts'

const [LANDLORD, NEWCOMER] = treasuryConfig().payees as [Payee, Payee]
const OTHER_BANK = { kind: 'bank', bankCode: 'NMB', accountNumber: '22510009876' } as const

function alerts({ observations }: TreasuryHarness): readonly string[] {
  return observations.flatMap((one) =>
    one.type === 'treasuryAlert' && one.code === 'treasury-new-payee' ? [one.message] : [],
  )
}

/** What is raised when those payees come after the ones that the harness begins with. */
function raisedBy(payees: readonly Payee[], author: string | null = 'ops'): readonly string[] {
  const harness = new TreasuryHarness()
  const known = alerts(harness).length
  const config: TreasuryConfig = treasuryConfig({ payees })
  harness.give({ type: 'configured', config, policyHash: 'another', author })
  return alerts(harness).slice(known)
}

describe('the alert of a new payee', () => {
  test('the first configuration raises one for each payee, and the same payees again raise none', () => {
    expect(alerts(new TreasuryHarness())).toEqual([
      'landlord (bank CRDB, account ending in 0150) is new in treasury.payees, read from the file: it is admitted already, so any amount may be paid to it',
      'newcomer (phone ending in 0001) is new in treasury.payees, read from the file: it receives nothing for 24 h, and only a small first payout then',
    ])
    expect(raisedBy([LANDLORD, NEWCOMER])).toEqual([])
    expect(raisedBy([NEWCOMER])).toEqual([])
  })

  test('a payee that is added raises one, with the token that loaded it and the end of its account alone', () => {
    const raised = raisedBy([LANDLORD, NEWCOMER, { name: 'supplier', to: OTHER_BANK, isAdmitted: false }])
    expect(raised).toEqual([
      'supplier (bank NMB, account ending in 9876) is new in treasury.payees, loaded by ops: it receives nothing for 24 h, and only a small first payout then',
    ])
    expect(raised.join('')).not.toContain(OTHER_BANK.accountNumber)
  })

  test('a payee whose account changed raises one, and one that only became admitted none', () => {
    expect(raisedBy([{ ...LANDLORD, to: OTHER_BANK }, NEWCOMER], null)).toEqual([
      'landlord (bank NMB, account ending in 9876) has another account in treasury.payees, read from the file: it is admitted already, so any amount may be paid to it',
    ])
    expect(raisedBy([LANDLORD, { ...NEWCOMER, isAdmitted: true }])).toEqual([])
  })

  test('a payee that left and came back is new again', () => {
    const harness = new TreasuryHarness()
    const known = alerts(harness).length
    const reload = (payees: readonly Payee[], policyHash: string) =>
      harness.give({ type: 'configured', config: treasuryConfig({ payees }), policyHash, author: 'ops' })
    reload([LANDLORD], 'without')
    expect(alerts(harness)).toHaveLength(known)
    reload([LANDLORD, NEWCOMER], 'with')
    expect(alerts(harness).slice(known)).toEqual([expect.stringMatching(/^newcomer .* is new in /)])
  })
})
