import { describe, expect, test } from 'vitest'
import { whyStillLeaving } from '../../../../../src/core/engine/activation/leaving.ts'
import { marketView } from '../../../../../src/daemon/view/market-view.ts'
import { readiness } from '../../../../../src/daemon/view/position-view.ts'
import type { Effect } from '../../../../../src/core/engine/model/effect.ts'
import type { VenueFailure } from '../../../../../src/core/engine/model/venue-answer.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { type Harness, type ToyVenue, runCore } from '../../../../support/core-harness.ts'
import { refused } from '../../../../support/answers.ts'

type ActivationAnswer = NonNullable<ToyVenue['answers']['activate']>
const HALT = { name: 'halt' } as const
const INSISTS = { name: 'deactivate', insists: true } as const
const OUT = { type: 'activation', isActive: false, partial: false, returned: [] } as const
const ALL_OUT = { ...OUT, returned: ['NTZS', 'USDC'] } as const

/** A position in the market; from now on the venue answers a deactivation like this. */
function working(answer: ActivationAnswer): Harness {
  const desk = runCore(60_000)
  expect(desk.state().activation.isActive).toBe(true)
  desk.venue.answers.activate = answer
  return desk
}

/** The same with a configuration of this version. */
function halting(answer: ActivationAnswer): Harness {
  const desk = runCore(60_000, { config: { quote: { ...coreConfig().quote, drainMs: 30_000 } } })
  desk.venue.answers.activate = answer
  return desk
}

const calls = ({ effects }: Harness) =>
  effects.filter((effect: Effect) => effect.type === 'activate' && !effect.isActive).length

const failure = (status: number): VenueFailure => ({
  kind: status === 500 ? 'server' : 'refused',
  code: `HTTP_${status}`,
  status,
  route: 'PATCH /activate',
  message: `the venue answered ${status}`,
  retriable: false,
  outcome: status === 500 ? 'unknown' : 'failed',
  retryAfterMs: null,
})

describe.each([
  ["an operator's deactivation", INSISTS, working],
  ['a halt that deactivates', HALT, halting],
] as const)('%s', (_what, order, begin) => {
  test.each([400, 405, 500])(
    'that is answered %i is repeated with growing pauses until it succeeds',
    (status) => {
      let left = 4
      const desk = begin(() => {
        left -= 1
        if (left >= 0) return failure(status)
        desk.venue.isActive = false
        return ALL_OUT
      })
      desk.order(order)
      desk.run(300_000)
      expect([left, whyStillLeaving(desk.state())]).toEqual([-1, null])
      expect(desk.state().latch.halted === null).toBe(order === INSISTS)
    },
  )

  test('of which a token is neither listed nor in the wallet is not over, whatever the answer says', () => {
    const desk = begin(() => ({ ...OUT, returned: ['NTZS'] }))
    desk.venue.answers.readBalances = () => 'silence'
    desk.order(order)
    desk.run(120_000)
    expect(whyStillLeaving(desk.state())).not.toBeNull()
    expect(calls(desk)).toBeGreaterThan(3)
  })

  test('of which the venue keeps a token three times for the same reason asks no more, and names token, amount and reason', () => {
    const kept = { token: 'USDT', asset: 'USDT', amount: 4_195_679_446n, reason: 'decoding error' } as const
    const part = { ...ALL_OUT, isActive: true, partial: true, failed: [kept] } as const
    const desk = begin(() => part)
    desk.order(order)
    desk.run(600_000)
    expect(calls(desk)).toBe(3)
    expect(whyStillLeaving(desk.state())).toMatch(/4195\.679446 USDT .*decoding error/)
  })
})

describe('a deactivation whose end is not proven', () => {
  const reported = (desk: Harness) =>
    desk.alerts('not-left').map(({ severity, message }) => [severity, message])

  test.each([
    ['deactivate', INSISTS],
    ['a halt', HALT],
  ] as const)('after %s is reported once, with what is missing, and so is its end', (_what, order) => {
    const desk = halting(() => ({ ...OUT, returned: ['NTZS'] }))
    desk.venue.answers.readBalances = () => 'silence'
    desk.order(order)
    desk.run(200_000)
    expect(reported(desk)).toEqual([])
    desk.run(600_000)
    expect(reported(desk)).toEqual([
      ['critical', expect.stringMatching(/not proven after 4 min: .*the wallet does not show it yet/)],
    ])
    desk.venue.isActive = false
    desk.venue.answers = { activate: () => ALL_OUT }
    desk.run(120_000)
    expect(reported(desk).slice(1)).toEqual([['info', 'the deactivation has ended']])
  })

  test('ends for a person with the command that brings the position back', () => {
    const desk = halting(() => failure(500))
    desk.order(INSISTS)
    desk.run(600_000)
    expect(reported(desk)).toHaveLength(1)
    desk.order({ name: 'activate' })
    desk.run(1_000)
    expect(reported(desk)[1]?.[0]).toBe('info')
  })
})

describe("an operator's deactivation", () => {
  test('of an account that the venue set inactive is sent all the same, and ends with the list of what came back', () => {
    const desk = working(() => ALL_OUT)
    desk.venue.isActive = false
    desk.run(120_000)
    expect(desk.state().activation.isActive).toBe(false)
    const before = calls(desk)
    expect(desk.order(INSISTS).accepted).toBe(true)
    desk.run(1_000)
    expect([calls(desk) - before, whyStillLeaving(desk.state())]).toEqual([1, null])
  })

  test('that is answered without a list ends when the wallet equals the ledger', () => {
    const desk = working(() => {
      desk.venue.isActive = false
      return OUT
    })
    desk.order(INSISTS)
    desk.run(60)
    expect(whyStillLeaving(desk.state())).not.toBeNull()
    desk.run(60_000)
    expect(whyStillLeaving(desk.state())).toBeNull()
    const sent = calls(desk)
    desk.run(600_000)
    expect(calls(desk)).toBe(sent)
  })

  test('of which the venue keeps one token continues until the others came back, wide, named and not ready', () => {
    const failed = [{ token: 'USDC', asset: 'USDC', amount: null, reason: 'insufficient balance' }] as const
    let left = 6
    const desk = working(() => {
      left -= 1
      const returned = left > 0 ? [] : (['NTZS'] as const)
      return { type: 'activation', isActive: true, partial: true, returned, failed }
    })
    const alerts = () =>
      desk.observations.flatMap((one) =>
        one.type === 'alert' && /deactivation/.test(one.code) ? [one.message] : [],
      )
    desk.order(INSISTS)
    desk.run(40_000)
    expect(left).toBeLessThan(3)
    expect(whyStillLeaving(desk.state())).toMatch(
      /not returnable by this venue.*USDC .*not mentioned by the venue.*NTZS/,
    )
    expect([desk.venue.held.bidBps, desk.venue.held.askBps]).toEqual([500, 500])
    expect(readiness(desk.state(), desk.now)).toMatchObject({
      ready: false,
      why: [expect.stringContaining('USDC')],
    })
    expect(marketView(desk.state(), desk.now).leaving?.isRepeated).toBe(true)
    desk.run(600_000)
    expect(left).toBe(0)
    expect(marketView(desk.state(), desk.now).leaving?.isRepeated).toBe(false)
    expect([alerts().at(-2), alerts().at(-1)]).toEqual([
      expect.stringContaining('the call is repeated'),
      expect.stringContaining('no further request'),
    ])
  })

  test('does not show why an earlier activation failed', () => {
    const desk = working(() => failure(500))
    desk.order({ name: 'activate' })
    desk.run(20_000)
    expect(desk.state().activation.problem).toContain('500')
    desk.order(INSISTS)
    expect(whyStillLeaving(desk.state())).not.toContain('500')
  })

  test('to another wallet than the first one is refused until a person names that wallet', () => {
    const [first, other] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
    const desk = working(() => ALL_OUT)
    desk.give({ type: 'account', t: desk.now, request: 0, isActive: true, walletAddress: first })
    desk.give({ type: 'account', t: desk.now, request: 0, isActive: true, walletAddress: other })
    expect(desk.order(INSISTS)).toMatchObject(refused(other))
    expect(desk.order({ ...INSISTS, wallet: first }).accepted).toBe(false)
    expect(desk.order({ ...INSISTS, wallet: other.toUpperCase().replace('0X', '0x') }).accepted).toBe(true)
  })

  test('is given up by an activation', () => {
    const desk = working(() => 'silence')
    desk.order(INSISTS)
    desk.order({ name: 'activate' })
    expect(whyStillLeaving(desk.state())).toBeNull()
  })
})

describe('a halt that deactivates', () => {
  test('is sent whatever the account shows, and once only where its end is shown', () => {
    const desk = halting(() => ALL_OUT)
    desk.venue.answers.readAccount = () => 'silence'
    desk.give({ type: 'account', t: desk.now, request: 0, isActive: false, walletAddress: null })
    const before = calls(desk)
    desk.order(HALT)
    desk.run(600_000)
    expect([calls(desk) - before, whyStillLeaving(desk.state())]).toEqual([1, null])
    desk.restart()
    desk.run(60_000)
    expect(calls(desk) - before).toBe(1)
  })

  test('ends by the wallet where the venue refuses it because the account is inactive', () => {
    const desk = halting(() => failureOf('refused', { status: 409, code: 'POSITION_INACTIVE' }))
    desk.venue.isActive = false
    desk.order(HALT)
    desk.run(120_000)
    expect(whyStillLeaving(desk.state())).toBeNull()
  })

  test('is given up by resume, which activates again', () => {
    const desk = halting(() => failure(500))
    desk.order(HALT)
    desk.run(10_000)
    delete desk.venue.answers.activate
    desk.order({ name: 'resume' })
    desk.run(60_000)
    expect([desk.venue.isActive, whyStillLeaving(desk.state())]).toEqual([true, null])
    const before = calls(desk)
    desk.order(HALT)
    desk.run(60_000)
    expect([calls(desk) - before, desk.venue.isActive]).toEqual([1, false])
  })

  test('sends nothing to a wallet that the account names anew', () => {
    const desk = halting(() => ALL_OUT)
    for (const walletAddress of [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`])
      desk.give({ type: 'account', t: desk.now, request: 0, isActive: true, walletAddress })
    desk.order(HALT)
    desk.run(120_000)
    expect(calls(desk)).toBe(0)
  })
})

test.each([
  ["an operator's", INSISTS],
  ["a halt's", { name: 'halt' }],
] as const)('%s deactivation continues in the next process until its end is shown', (_, order) => {
  const desk = runCore(60_000, { config: { quote: { ...coreConfig().quote, drainMs: 0 } } })
  desk.venue.answers.activate = () => failure(500)
  desk.order(order)
  desk.run(20_000)
  const before = calls(desk)
  expect(before).toBeGreaterThan(1)
  desk.restart()
  desk.run(20_000)
  expect(calls(desk)).toBeGreaterThan(before)
  delete desk.venue.answers.activate
  desk.run(120_000)
  expect([whyStillLeaving(desk.state()), desk.venue.isActive]).toEqual([null, false])
  const after = calls(desk)
  desk.run(300_000)
  expect(calls(desk)).toBe(after)
})
