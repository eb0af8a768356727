import { describe, expect, test } from 'vitest'
import { TreasuryHarness, TRANSFER, REFILL } from '../../../support/treasury-harness.ts'

const ID = 'c'.repeat(32)
const alerts = (harness: TreasuryHarness, code: string) =>
  harness.observations.flatMap((one) =>
    one.type === 'treasuryAlert' && one.code === code ? [one.message] : [],
  )

/** The shell fails to build the call of a leg so often; returns the pauses before it was asked again. */
function fail(harness: TreasuryHarness, leg: number, times: number): readonly number[] {
  const pauses: number[] = []
  for (let tries = 0; tries < times; tries++) {
    const from = harness.now
    while (harness.take('prepare').length === 0 && harness.now - from < 600_000) harness.pass(1_000)
    pauses.push(harness.now - from)
    harness.give({ type: 'prepareFailed', intent: ID, leg, words: 'landlord has no address' })
  }
  return pauses
}

describe('a step whose call cannot be built', () => {
  test('is tried again with growing pauses, reported at the third, and refused at the eighth: nothing was sent', () => {
    const harness = TreasuryHarness.planned(ID, TRANSFER)
    expect(fail(harness, 0, 3)).toEqual([0, 5_000, 10_000])
    expect(harness.intent(ID)).toMatchObject({
      stage: 'approved',
      why: 'the call cannot be built: landlord has no address',
    })
    expect(alerts(harness, 'treasury-step-unbuildable')).toEqual([
      expect.stringMatching(/^step 1 \(transfer\) .* address$/),
    ])
    expect(fail(harness, 0, 5)).toEqual([20_000, 40_000, 80_000, 160_000, 300_000])
    expect(harness.intent(ID).stage).toBe('refused')
    expect(alerts(harness, 'treasury-intent-failed')).toHaveLength(1)
    expect(harness.take('transmit')).toEqual([])
    expect(harness.state.books.reserved).toEqual({})
  })

  test('is held where the intent has begun: a person approves it again, and it is tried again', () => {
    const harness = TreasuryHarness.sending(ID, REFILL)
    harness.answer(ID, 0)
    fail(harness, 1, 8)
    expect(harness.intent(ID)).toMatchObject({ stage: 'held', isHeld: true, endedAt: null })
    expect(alerts(harness, 'treasury-step-unbuildable')).toEqual([
      expect.stringMatching(/^step 2 .* address$/),
      expect.stringMatching(/It is held until/),
    ])
    harness.pass(86_400_000)
    expect(harness.take('prepare')).toEqual([])
    expect(harness.approve(ID, 'anna')).toBe('yes: approved')
    harness.take('prepare')
    harness.prepare(ID, 1)
    expect(harness.intent(ID).legs[1]?.stage).toBe('sending')
  })

  test('begins to count anew once its call was built', () => {
    const harness = TreasuryHarness.planned(ID, TRANSFER)
    fail(harness, 0, 7)
    harness.pass(300_000)
    harness.prepare(ID, 0)
    harness.refuse(ID, 0, { retry: 'backoff', code: 'rate_limited' })
    fail(harness, 0, 7)
    expect(harness.intent(ID).endedAt).toBeNull()
  })

  test('of the past changes nothing: of another step, of one that was not asked for, of no intent', () => {
    const harness = TreasuryHarness.planned(ID, REFILL)
    const before = JSON.stringify(harness.intent(ID), (_, value: unknown) => String(value))
    harness.give({ type: 'prepareFailed', intent: ID, leg: 2, words: 'no' })
    harness.give({ type: 'prepareFailed', intent: ID, leg: 9, words: 'no' })
    harness.give({ type: 'prepareFailed', intent: 'constructor', leg: 0, words: 'no' })
    expect(JSON.stringify(harness.intent(ID), (_, value: unknown) => String(value))).toBe(before)
    harness.prepare(ID, 0)
    harness.give({ type: 'prepareFailed', intent: ID, leg: 0, words: 'no' })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'sending', why: 'deposit: attempt 1 is sent' })
  })
})
