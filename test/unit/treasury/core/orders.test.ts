import { describe, expect, test } from 'vitest'
import { envelopeText } from '../../../../src/treasury/approvals/envelope.ts'
import type { PlannedIntent } from '../../../../src/treasury/model/plan-types.ts'
import {
  holdingsOf,
  PAYOUT,
  plannedLeg,
  plannedStep,
  REFILL,
  treasuryConfig,
  TreasuryHarness,
  TZS,
  PAYOUT_ORDER,
} from '../../../support/treasury-harness.ts'

const ID = 'c'.repeat(32)
const WAITING: PlannedIntent = { ...PAYOUT, rule: 'skim' }

/** The same from the position's pool. */
const FROM_POOL: PlannedIntent = {
  ...PAYOUT,
  legs: [
    plannedLeg({ kind: 'lpWithdrawal', from: 'pool', to: 'treasury', amount: 505_000n * TZS }),
    ...PAYOUT.legs,
  ],
}

function payOut(harness: TreasuryHarness, by = 'anna', step: PlannedIntent = PAYOUT): string {
  const { destination: payee, leastReceived: amount } = step
  return harness.order({ name: 'payout', payee, asset: 'NTZS', amount, why: 'rent' }, by, { id: ID, step })
}

describe('who approves', () => {
  test('a refill between our own places up to the free amount needs no approval, and one unit more waits', () => {
    const harness = new TreasuryHarness({
      approval: { freeRefill: { NTZS: 40_000_000n * TZS, USDC: 0n, USDT: 0n } },
    })
    expect(harness.plan(ID, REFILL).stage).toBe('approved')
    const more = plannedStep([
      plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: 40_000_000n * TZS + 1n }),
    ])
    expect(harness.plan('another', { ...more, rule: 'manual' }).stage).toBe('awaiting_approval')
  })

  test('a payout of the policy needs two people, because the daemon does not count', () => {
    const harness = new TreasuryHarness()
    expect(harness.plan(ID, WAITING).stage).toBe('awaiting_approval')
    expect(harness.approve(ID, 'anna')).toBe('yes: 1 more token must approve it')
    expect(harness.approve(ID, 'anna')).toBe('no: anna has already approved it: another token has to approve')
    expect(harness.take('quote')).toEqual([])
    expect(harness.approve(ID, 'bertha')).toBe('yes: approved')
    expect(harness.take('quote')).toHaveLength(1)
  })

  test('the token that loaded the policy in force does not approve, nor does its order count', () => {
    const harness = new TreasuryHarness()
    harness.configure({}, 'hash-1', 'anna')
    expect(payOut(harness, 'anna')).toMatch(/^yes: .* 2 more tokens/)
    expect(harness.approve(ID, 'anna')).toBe(
      'no: anna loaded the policy in force: another token has to approve',
    )
  })

  test('an approval of another envelope is refused', () => {
    const harness = TreasuryHarness.planned(ID, WAITING)
    const envelope = envelopeText({ ...harness.intent(ID).envelope, mostSpent: 1n })
    expect(harness.order({ name: 'approve', intent: ID, envelope })).toBe(
      'no: the envelope has changed: read it again, and approve the current one',
    )
  })

  test('one person alone leaves an hour in which to cancel', () => {
    const harness = new TreasuryHarness({ approval: { people: 1 } })
    expect(payOut(harness)).toBe(`yes: ${ID} is planned: approved; it will be sent in 60 min`)
    harness.pass(3_599_000)
    expect(harness.take('quote')).toEqual([])
    harness.pass(1_000)
    expect(harness.take('quote')).toHaveLength(1)
  })

  test('an intent without approval expires in time, and frees the caps that it used', () => {
    const harness = TreasuryHarness.planned(ID, WAITING)
    expect(harness.state.capUses).toHaveLength(1)
    harness.pass(24 * 3_600_000)
    expect(harness.intent(ID)).toMatchObject({ stage: 'expired' })
    expect(harness.state.capUses).toEqual([])
    expect(harness.approve(ID, 'anna')).toMatch(/^no: .* expired$/)
  })

  test('an intent of another policy is cancelled before anything was sent', () => {
    const harness = TreasuryHarness.planned(ID, WAITING)
    harness.configure({}, 'hash-2', 'carla')
    expect(harness.intent(ID)).toMatchObject({
      stage: 'cancelled',
      why: 'the policy changed before anything was sent',
    })
  })

  test('an approved payout continues where the policy is loaded again by one of those who approved it', () => {
    const harness = new TreasuryHarness()
    payOut(harness, 'anna', FROM_POOL)
    harness.approve(ID, 'bertha')
    harness.answer(ID, 0)
    harness.configure({}, 'hash-1', 'bertha')
    harness.answer(ID, 1)
    harness.answer(ID, 2)
    expect(harness.take('quote')).toEqual([{ type: 'quote', intent: ID, leg: 3 }])
  })

  test('the withdrawal of the position inside an approved payout names who approved it', () => {
    const harness = new TreasuryHarness()
    payOut(harness, 'anna', FROM_POOL)
    harness.approve(ID, 'bertha')
    harness.answer(ID, 0)
    const [, withdraw] = harness.take('position')
    expect(withdraw?.order).toEqual({
      name: 'withdraw',
      asset: 'NTZS',
      amount: 505_000n * TZS,
      key: `${ID}-1-1`,
      approvedBy: ['anna', 'bertha'],
    })
  })
})

describe('new payees', () => {
  const first = (amount: bigint): PlannedIntent =>
    plannedStep(
      [
        plannedLeg({
          kind: 'withdrawal',
          from: 'treasury',
          to: 'phone',
          amount: amount + 3_000n * TZS,
          leastReceived: amount,
          payee: 'newcomer',
        }),
      ],
      { rule: 'payout', direction: 'out', route: 'payout' },
    )

  test('a new payee waits a day, gets 5,000 first, and any amount once that has arrived', () => {
    const harness = new TreasuryHarness()
    expect(payOut(harness, 'anna', first(5_000n * TZS))).toMatch(/^no: newcomer .* 24 h/)
    harness.pass(24 * 3_600_000)
    expect(payOut(harness, 'anna', first(6_000n * TZS))).toMatch(/^no: newcomer .* 5000 NTZS/)
    expect(payOut(harness, 'anna', first(5_000n * TZS))).toMatch(/^yes/)
    harness.approve(ID, 'bertha')
    harness.quote(ID, 0, { spend: 6_000n * TZS, receive: 5_000n * TZS })
    harness.prepare(ID, 0)
    harness.answer(ID, 0)
    expect(harness.state.payees['newcomer']?.admittedAt).toBe(harness.now)
  })

  test('a payee with a changed account is new, and an unlisted payee is not paid', () => {
    const harness = new TreasuryHarness()
    const [landlord] = treasuryConfig().payees
    if (landlord === undefined) throw new Error('no payee')
    const moved = {
      ...landlord,
      isAdmitted: false,
      to: { kind: 'bank', bankCode: 'NMB', accountNumber: '666' },
    } as const
    harness.configure({ payees: [moved] }, 'hash-2')
    expect(payOut(harness)).toMatch(/^no: landlord .* new /)
    harness.configure({ payees: [] }, 'hash-3')
    expect(payOut(harness)).toBe('no: landlord is not among treasury.payees')
  })
})

describe('stop, hold, cancel', () => {
  test('any token stops at once: a prepared attempt is not sent, and is priced and prepared again after the resume', () => {
    const harness = TreasuryHarness.planned(ID, REFILL)
    harness.take('prepare')
    harness.order({ name: 'stop', why: 'strange' }, 'carla')
    harness.prepare(ID, 0)
    expect(harness.take('transmit')).toEqual([])
    expect(harness.intent(ID).legs[0]?.attempts).toEqual([])
    harness.order({ name: 'resume', why: 'fine' }, 'anna')
    expect(harness.take('prepare')).toHaveLength(1)
  })

  test('nothing is planned or ordered while stopped', () => {
    const harness = new TreasuryHarness()
    harness.order({ name: 'stop', why: 'strange' }, 'carla')
    harness.give({ type: 'planned', steps: [{ id: ID, step: REFILL }] })
    expect(harness.state.intents).toEqual({})
    expect(payOut(harness)).toMatch(/^no: .* carla: strange$/)
  })

  test('after a restore nothing is sent until a person has confirmed the balances that were read', () => {
    const harness = new TreasuryHarness({ keysHonoured: ['POST /deposits'] })
    harness.sendLeg(ID, REFILL)
    harness.take('transmit')
    harness.give({ type: 'restarted', version: '2', isRestored: true })
    harness.pass(60_000)
    expect(harness.take('transmit')).toEqual([])
    expect(harness.order({ name: 'confirmBalances', why: 'compared' })).toMatch(/^yes/)
    expect(harness.take('transmit')).toEqual([{ type: 'transmit', intent: ID, leg: 0, n: 1 }])
  })

  test('a held intent sends nothing more until someone approves it again', () => {
    const harness = TreasuryHarness.sending(ID, REFILL)
    harness.answer(ID, 0, { status: 'waiting_for_payer' })
    harness.order({ name: 'hold', intent: ID, why: 'who asked for this?' })
    harness.see(ID, 0)
    expect(harness.intent(ID).stage).toBe('held')
    expect(harness.take('prepare')).toHaveLength(1)
    expect(harness.approve(ID, 'bertha')).toBe('yes: approved')
    expect(harness.take('prepare')).toEqual([{ type: 'prepare', intent: ID, leg: 1 }])
  })

  test('a deposit that waits for its payer may be cancelled, and still counts if it is paid', () => {
    const harness = TreasuryHarness.sending(ID, REFILL)
    harness.answer(ID, 0, { status: 'waiting_for_payer' })
    expect(harness.order({ name: 'cancel', intent: ID, why: 'no cash' })).toBe(
      'yes: cancelled: do not pay it',
    )
    expect(harness.intent(ID).stage).toBe('cancelled')
    harness.take('read')
    harness.pass(3_600_000)
    expect(harness.take('read').length).toBeGreaterThan(0)
    harness.see(ID, 0, { received: 40_000_000n * TZS })
    expect(harness.intent(ID).stage).toBe('settled')
    expect(harness.state.books.accounts['treasury']?.NTZS).toBe(100_000_000n * TZS)
  })

  test('what was sent cannot be recalled: the rest is cancelled', () => {
    const harness = TreasuryHarness.sending(ID, REFILL)
    expect(harness.order({ name: 'cancel', intent: ID, why: 'no' })).toBe(
      'yes: what was sent cannot be recalled; the rest is cancelled',
    )
    harness.answer(ID, 0)
    expect(harness.stages(ID)).toEqual(['settled', 'cancelled', 'cancelled'])
  })

  test('tokens in transit to the LP wallet are still reported to the position and swept', () => {
    const harness = TreasuryHarness.sending(ID, REFILL, 1)
    harness.silence(ID, 1)
    expect(harness.order({ name: 'cancel', intent: ID, why: 'no' })).toMatch(/^yes: what was/)
    harness.see(ID, 1)
    const stages = () => harness.intent(ID).legs.map(({ kind, stage }) => `${kind} ${stage}`)
    expect(stages()).toEqual(['deposit settled', 'transfer settled', 'lpActivation sending'])
    harness.answer(ID, 2, { resourceId: null })
    expect(harness.intent(ID).stage).toBe('settled')
  })

  test('tokens that arrived in the LP wallet are swept even if the intent is cancelled afterwards', () => {
    const harness = TreasuryHarness.sending(ID, REFILL, 1)
    harness.order({ name: 'stop', why: 'strange' })
    harness.answer(ID, 1)
    expect(harness.order({ name: 'cancel', intent: ID, why: 'no' })).toBe(
      'yes: the position takes what has arrived; the rest is cancelled',
    )
    expect(harness.intent(ID).endedAt).toBeNull()
    harness.order({ name: 'resume', why: 'fine' })
    expect(harness.take('position')).toMatchObject([{ intent: ID, leg: 2, order: { name: 'activate' } }])
  })

  test('of several lots only the one in transit keeps its activation', () => {
    const harness = new TreasuryHarness()
    const lot = [
      plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: 9_000_000n * TZS }),
      plannedLeg({ kind: 'lpActivation', from: 'lpWallet', to: 'pool', amount: 9_000_000n * TZS }),
    ]
    harness.plan(ID, plannedStep([...lot, ...lot], { route: 'rebalance' }))
    harness.prepare(ID, 0)
    harness.order({ name: 'cancel', intent: ID, why: 'no' })
    expect(harness.stages(ID)).toEqual(['sending', 'planned', 'cancelled', 'cancelled'])
  })

  test('a transfer that was refused leaves nothing for the position: its activation is dropped', () => {
    const harness = TreasuryHarness.sending(ID, REFILL, 1)
    harness.order({ name: 'cancel', intent: ID, why: 'no' })
    harness.refuse(ID, 1)
    expect(harness.intent(ID).legs.at(-1)).toMatchObject({ kind: 'lpActivation', stage: 'cancelled' })
  })

  test('an order about an intent that is not there is refused by its name', () => {
    const harness = new TreasuryHarness()
    for (const intent of ['nobody', '__proto__', 'constructor'])
      expect(harness.order({ name: 'cancel', intent, why: 'x' })).toBe(`no: there is no intent ${intent}`)
  })
})

describe('claims', () => {
  function claimed(): TreasuryHarness {
    const harness = new TreasuryHarness()
    payOut(harness)
    harness.approve(ID, 'bertha')
    harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS })
    harness.prepare(ID, 0)
    harness.answer(ID, 0, { status: 'in_transit' })
    harness.see(ID, 0, { status: 'reconcile_required' })
    return harness
  }

  test('reconcile_required is a claim that is never sent again, and does not block another payout', () => {
    const harness = claimed()
    harness.take('transmit')
    harness.pass(7 * 86_400_000)
    expect(harness.take('transmit')).toEqual([])
    expect(harness.intent(ID).stage).toBe('claim')
    harness.look(holdingsOf())
    expect(harness.order(PAYOUT_ORDER, 'anna', { id: 'second', step: PAYOUT })).toMatch(/^yes/)
    // Its amount differs from the claim's, so that whatever is found is of one of them.
    const second = harness.intent('second')
    expect(second.legs[0]?.leastReceived).toBe(499_999n * TZS)
    expect(second.envelope.leastReceived).toBe(499_999n * TZS)
  })

  test.each([
    ['arrived', 500_000n, 'settled', { railCosts: 3_000n, bank: 500_000n, treasury: 59_497_000n }],
    ['returned', 503_000n, 'reverted', { railCosts: 0n, bank: 0n, treasury: 60_000_000n }],
    ['lost', 0n, 'reverted', { railCosts: 503_000n, bank: 0n, treasury: 59_497_000n }],
  ] as const)(
    'a claim that a person resolves as %s leaves the books without it',
    (as, received, stage, held) => {
      const harness = claimed()
      const order = {
        name: 'resolveClaim',
        intent: ID,
        as,
        received: received * TZS,
        why: 'statement',
      } as const
      expect(harness.order(order)).toMatch(/^yes/)
      expect(harness.intent(ID).stage).toBe(stage)
      const { accounts, reserved } = harness.state.books
      expect(reserved).toEqual({})
      for (const [account, amount] of Object.entries(held)) expect(accounts[account]?.NTZS).toBe(amount * TZS)
      expect(accounts).not.toHaveProperty(`claim:${ID}`)
    },
  )

  test('one of tokens that arrived in the LP wallet is answered with how the position learns of them', () => {
    const harness = TreasuryHarness.sending(ID, REFILL, 1)
    harness.silence(ID, 1)
    harness.pass(2 * 3_600_000)
    harness.findNothing(ID, 1)
    expect(harness.stages(ID)).toEqual(['settled', 'claim', 'cancelled'])
    const order = { name: 'resolveClaim', intent: ID, as: 'arrived', received: 40_000_000n * TZS } as const
    expect(harness.order({ ...order, why: 'seen on chain' })).toMatch(/^yes: .*--book deposit`$/)
  })

  test("the venue's own late word resolves a claim too", () => {
    const harness = claimed()
    harness.see(ID, 0, { status: 'completed', received: 500_000n * TZS })
    expect(harness.intent(ID).stage).toBe('settled')
    expect(harness.state.books.reserved).toEqual({})
  })
})

describe('a halt of the position', () => {
  const halt = (harness: TreasuryHarness, since = harness.now) =>
    harness.give({ type: 'halted', since, why: 'theft' })
  const wants = (harness: TreasuryHarness) => harness.take('quote').length + harness.take('prepare').length

  test('holds a payout that is agreed and has not left, until another approval', () => {
    const harness = TreasuryHarness.planned(ID, PAYOUT)
    harness.approve(ID, 'anna')
    harness.state.stop = { by: 'x', who: 'x', at: 0, why: 'x' }
    harness.approve(ID, 'bertha')
    halt(harness)
    harness.state.stop = null
    harness.pass(3_600_000)
    expect([harness.intent(ID).stage, wants(harness)]).toEqual(['held', 0])
    expect(harness.approve(ID, 'bertha')).toMatch(/^yes/)
    harness.pass(1_000)
    expect([harness.intent(ID).isHeld, wants(harness)]).toEqual([false, 1])
  })

  test('holds nothing that was not agreed then, and the same halt holds once', () => {
    const harness = new TreasuryHarness()
    const since = harness.now
    harness.plan(ID, PAYOUT)
    harness.approve(ID, 'anna')
    halt(harness, since)
    expect(harness.intent(ID).isHeld).toBe(false)
    harness.approve(ID, 'bertha')
    halt(harness, since)
    expect(harness.intent(ID).isHeld).toBe(false)
    halt(harness, since + 1)
    expect(harness.intent(ID).isHeld).toBe(true)
  })
})
