import { describe, expect, test } from 'vitest'
import type { Payee, TreasuryConfig } from '../../../../src/treasury/model/config.ts'
import {
  plannedLeg,
  plannedStep,
  TreasuryHarness,
  treasuryConfig,
  TZS,
} from '../../../support/treasury-harness.ts'

const [LANDLORD, NEWCOMER] = treasuryConfig().payees as [Payee, Payee]
const OTHER_BANK = { kind: 'bank', bankCode: 'NMB', accountNumber: '22510009876' } as const

function alerts({ observations }: TreasuryHarness, wanted = 'treasury-new-payee'): readonly string[] {
  return observations.flatMap((one) =>
    one.type === 'treasuryAlert' && one.code === wanted ? [one.message] : [],
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
  test('the first configuration raises one for each payee, and the same payees raise no further alert', () => {
    expect(alerts(new TreasuryHarness())).toEqual([
      'landlord (bank CRDB, account ending in 0150) is new in treasury.payees, read from the file: it is already admitted, so any amount may be paid to it',
      'newcomer (phone ending in 0001) is new in treasury.payees, read from the file: it receives nothing for 24 h, and only a small first payout then',
    ])
    expect(raisedBy([LANDLORD, NEWCOMER])).toEqual([])
    expect(raisedBy([NEWCOMER])).toEqual([])
  })

  test('a payee that is added raises one, with the token that loaded it and the end of its account alone', () => {
    const raised = raisedBy([LANDLORD, NEWCOMER, { name: 'supplier', to: OTHER_BANK, isAdmitted: false }])
    expect(raised).toEqual([expect.stringMatching(/^supplier .* by ops: .* 24 /)])
    expect(raised.join('')).not.toContain(OTHER_BANK.accountNumber)
  })

  test('a payee with a changed account raises one, and a payee that was only admitted does not', () => {
    expect(raisedBy([{ ...LANDLORD, to: OTHER_BANK }, NEWCOMER], null)).toEqual([
      'landlord (bank NMB, account ending in 9876) has another account in treasury.payees, read from the file: it is already admitted, so any amount may be paid to it',
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
    expect(alerts(harness).slice(known)).toEqual([expect.stringMatching(/^newcomer .* is new /)])
  })
})

describe('the notice that a payee may be paid from now on', () => {
  const admitted = (harness: TreasuryHarness) => alerts(harness, 'treasury-payee-admitted')
  const OVER =
    'newcomer (phone ending in 0001) has been listed for 24 h: a first payout of 5000 NTZS may go to it from now on, and any amount once that has arrived'

  test('comes when its 24 h are over, once, at that moment and not before', () => {
    const harness = new TreasuryHarness()
    harness.pass(24 * 3_600_000 - 1)
    expect(admitted(harness)).toEqual([])
    harness.pass(1)
    expect(admitted(harness)).toEqual([OVER])
    harness.pass(48 * 3_600_000)
    expect(admitted(harness)).toEqual([OVER])
  })

  test('comes with the first payout that has arrived, and not with a second one', () => {
    const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
    harness.pass(24 * 3_600_000)
    const leg = plannedLeg({
      kind: 'withdrawal',
      from: 'treasury',
      to: 'phone',
      amount: 5_100n * TZS,
      leastReceived: 5_000n * TZS,
      payee: 'newcomer',
    })
    const step = plannedStep([leg], { rule: 'payout', direction: 'out', route: 'payout' })
    const order = {
      name: 'payout',
      payee: 'newcomer',
      asset: 'NTZS',
      amount: 5_000n * TZS,
      why: 'x',
    } as const
    for (const id of ['a'.repeat(32), 'b'.repeat(32)]) {
      harness.order(order, 'anna', { id, step })
      harness.quote(id, 0, { spend: 5_100n * TZS, receive: 5_000n * TZS })
      harness.prepare(id, 0)
      harness.answer(id, 0, { received: 5_000n * TZS })
      expect(harness.intent(id).stage).toBe('settled')
    }
    expect(admitted(harness)).toEqual([
      OVER,
      'newcomer (phone ending in 0001) has received its first payout; from now on it may be paid any amount',
    ])
  })

  test('comes where the configuration admits a listed payee, with the token that loaded it', () => {
    const harness = new TreasuryHarness()
    const config = treasuryConfig({ payees: [LANDLORD, { ...NEWCOMER, isAdmitted: true }] })
    harness.give({ type: 'configured', config, policyHash: 'another', author: 'ops' })
    expect(admitted(harness)).toEqual([
      'newcomer (phone ending in 0001) is admitted by treasury.payees, loaded by ops: any amount may be paid to it from now on',
    ])
    harness.give({ type: 'configured', config, policyHash: 'another', author: null })
    harness.pass(48 * 3_600_000)
    expect(admitted(harness)).toHaveLength(1)
  })
})
