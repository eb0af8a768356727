import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../../src/base/codec.ts'
import { createTreasury } from '../../../../src/treasury/core/treasury.ts'
import type { TreasuryEvent } from '../../../../src/treasury/model/event.ts'
import {
  PAYOUT,
  plannedLeg,
  plannedStep,
  TreasuryHarness,
  TZS,
  PAYOUT_ORDER,
} from '../../../support/treasury-harness.ts'

const ID = 'a'.repeat(32)
const NEXT = 'b'.repeat(32)
const CONFIRM = {
  name: 'confirmPayee',
  payee: 'landlord',
  registeredName: 'JOHN ROE',
  why: 'called',
} as const
const LOOKING = 'no: the registered name of its payee is being looked up: look again in a moment'
const RENAMED =
  'no: landlord is now registered as "JOHN ROE", before as "JANE DOE": confirm the payee first, or cancel it'

function ordered(harness = new TreasuryHarness(), id = ID): TreasuryHarness {
  harness.order(PAYOUT_ORDER, 'anna', { id, step: PAYOUT, isNamed: true })
  return harness
}

/** The landlord is known as JANE DOE, and a second payout finds JOHN ROE. */
function renamed(): TreasuryHarness {
  const harness = ordered()
  harness.name(ID, 'JANE DOE')
  harness.order({ name: 'cancel', intent: ID, why: 'later' })
  ordered(harness, NEXT)
  harness.name(NEXT, 'JOHN ROE')
  return harness
}

function alerts({ observations }: TreasuryHarness, wanted: string): readonly string[] {
  return observations.flatMap((one) =>
    one.type === 'treasuryAlert' && one.code === wanted ? [one.message] : [],
  )
}

describe('the registered name of a payee', () => {
  test('is looked up once for an intent, and blocks approval until the answer', () => {
    const harness = ordered()
    expect(harness.take('namePayee')).toEqual([{ type: 'namePayee', intent: ID, leg: 0 }])
    expect(harness.approve(ID, 'bertha')).toBe(LOOKING)
    harness.name(ID, 'JANE DOE')
    expect(harness.intent(ID)).toMatchObject({ stage: 'awaiting_approval' })
    expect(harness.approve(ID, 'bertha')).toBe('yes: approved')
    harness.pass(3_600_000)
    expect(harness.take('namePayee')).toEqual([])
    expect(harness.take('quote')).not.toEqual([])
  })

  test('is asked for again where the answer was lost, and at once after a restart', () => {
    const harness = ordered()
    harness.take('namePayee')
    harness.pass(119_000)
    expect(harness.take('namePayee')).toEqual([])
    harness.pass(1_000)
    expect(harness.take('namePayee')).toHaveLength(1)
    harness.give({ type: 'restarted', version: '1', isRestored: false })
    expect(harness.take('namePayee')).toHaveLength(1)
  })

  test('that is not known blocks nothing', () => {
    const harness = ordered()
    harness.name(ID, null, 'the look-up was refused: rate_limited: too many')
    expect(harness.approve(ID, 'bertha')).toBe('yes: approved')
    expect(harness.take('quote')).toHaveLength(1)
  })

  test('is waited for where one person decides alone without a pause, before anything is priced or sent', () => {
    const harness = ordered(new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } }))
    expect(harness.take('quote')).toEqual([])
    harness.name(ID, 'JANE DOE')
    expect(harness.take('quote')).toHaveLength(1)
  })

  test('of a step that was planned without a look-up is not waited for: journals of before fold as they did', () => {
    const harness = new TreasuryHarness()
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    expect(harness.take('namePayee')).toEqual([])
    expect(harness.approve(ID, 'bertha')).toBe('yes: approved')
  })

  test('is the same with other capitals and spaces, and of another account it decides nothing', () => {
    const harness = ordered()
    harness.name(ID, 'JANE DOE')
    harness.name(ID, 'Jane  Doe')
    const other = {
      type: 'payeeNamed',
      intent: ID,
      leg: 0,
      payee: 'landlord',
      name: 'JOHN ROE',
      note: null,
    } as const
    harness.give({ ...other, to: '{"kind":"bank","bankCode":"NMB","accountNumber":"1"}' })
    harness.give({ ...other, payee: 'nobody', to: '{}' })
    expect(alerts(harness, 'treasury-payee-renamed')).toEqual([])
    expect(harness.state.payees['landlord']).toMatchObject({ knownAs: 'JANE DOE' })
  })
})

describe('a registered name that changed', () => {
  test('is one alert, and blocks the approval of what waits', () => {
    const harness = renamed()
    expect(alerts(harness, 'treasury-payee-renamed')).toEqual([
      'landlord (bank CRDB, account ending in 0150) is now registered as "JOHN ROE", before as "JANE DOE": nothing is paid to it until a person has confirmed the name',
    ])
    expect(harness.approve(NEXT, 'bertha')).toBe(RENAMED)
    harness.name(NEXT, 'JOHN ROE')
    expect(alerts(harness, 'treasury-payee-renamed')).toHaveLength(1)
  })

  test('still blocks after an unanswered look-up, and no longer once the known name is back', () => {
    const harness = renamed()
    harness.name(NEXT, null, 'timed out')
    expect(harness.approve(NEXT, 'bertha')).toBe(RENAMED)
    harness.name(NEXT, 'JANE DOE')
    expect(harness.approve(NEXT, 'bertha')).toBe('yes: approved')
  })

  test('between the approval and the sending keeps it from being sent', () => {
    const harness = ordered()
    harness.name(ID, 'JANE DOE')
    harness.approve(ID, 'bertha')
    harness.name(ID, 'JOHN ROE')
    harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS })
    expect(harness.intent(ID).stage).toBe('awaiting_approval')
    harness.pass(3_600_000)
    expect([...harness.take('prepare'), ...harness.take('transmit')]).toEqual([])
  })

  test('does not keep the position out of the market that an earlier step took out of it', () => {
    const harness = new TreasuryHarness()
    const out = plannedLeg({ kind: 'lpWithdrawal', from: 'pool', to: 'treasury', amount: 505_000n * TZS })
    const step = plannedStep([out, ...PAYOUT.legs], { rule: 'payout', direction: 'out', route: 'payout' })
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step, isNamed: true })
    const payee = harness.state.payees['landlord']
    const named = {
      type: 'payeeNamed',
      intent: ID,
      leg: 3,
      payee: 'landlord',
      to: payee?.to ?? '',
      note: null,
    } as const
    harness.give({ ...named, name: 'JANE DOE' })
    harness.approve(ID, 'bertha')
    harness.answer(ID, 0)
    harness.give({ ...named, name: 'JOHN ROE' })
    harness.answer(ID, 1)
    expect(harness.take('position').map(({ order }) => order.name)).toEqual([
      'deactivate',
      'withdraw',
      'activate',
    ])
    harness.answer(ID, 2)
    expect(harness.take('quote')).toEqual([])
    expect(harness.intent(ID).stage).toBe('awaiting_approval')
  })

  test('is confirmed by a token other than the one that loaded the policy, with exactly the new name', () => {
    const harness = renamed()
    expect(harness.order({ ...CONFIRM, payee: 'nobody' })).toMatch(/^no: nobody .* treasury\.payees$/)
    expect(harness.order({ ...CONFIRM, payee: 'newcomer' })).toMatch(/^no: .* newcomer .*not changed/)
    expect(harness.order({ ...CONFIRM, registeredName: 'john roe' })).toMatch(/^no: landlord .*"JOHN ROE"/)
    harness.configure({}, 'hash-1', 'carla')
    expect(harness.order(CONFIRM, 'carla')).toMatch(/^no: carla .* to confirm$/)
    expect(harness.order(CONFIRM, 'bertha')).toMatch(/^yes: landlord .* new /)
    expect(harness.order(CONFIRM, 'bertha')).toMatch(/^no: .* landlord .* changed/)
  })

  test('makes a new payee once it is confirmed: waiting intents are cancelled, and a small payout follows after 24 h', () => {
    const harness = renamed()
    harness.order(CONFIRM, 'bertha')
    expect(harness.intent(NEXT)).toMatchObject({
      stage: 'cancelled',
      why: expect.stringMatching(/^bertha .* landlord: called$/),
    })
    expect(alerts(harness, 'treasury-new-payee').at(-1)).toContain('registered name, "JOHN ROE"')
    const again = (id: string) => harness.order(PAYOUT_ORDER, 'anna', { id, step: PAYOUT, isNamed: true })
    expect(again('c'.repeat(32))).toMatch(/^no: landlord .* new /)
    // Its entry in the configuration is admitted still: that is of the old name.
    harness.configure({}, 'hash-1')
    harness.pass(24 * 3_600_000)
    expect(again('d'.repeat(32))).toMatch(/^no: landlord .* 5000 NTZS/)
  })

  test('is the same after a restart: the state is the fold of the events', () => {
    const harness = renamed()
    harness.order(CONFIRM, 'bertha')
    const folded = createTreasury()
    for (const event of decodeJson(encodeJson(harness.events)) as TreasuryEvent[]) folded.process(event)
    expect(encodeJson(folded.state())).toBe(encodeJson(harness.state))
  })
})
