import { describe, expect, it } from 'vitest'
import { fillsAnswer } from '../../../../support/answers.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { bringDollars, NTZS, USD } from '../../../../support/taker.ts'

const { risk } = coreConfig()
const SAFE = { bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true }
const TRADING = { bidBps: 60, askBps: 60, quoteBid: true, quoteAsk: true }
const TZS36 = 10n ** 36n

function desk(change: Partial<typeof risk> = {}): Harness {
  return runCore(10_000, { config: { risk: { ...risk, ...change } } })
}
/** The venue publishes this mid, dated now, and the daemon has time to see it. */
function publish(one: Harness, mid: bigint, ms = 10_000): void {
  one.venue.mid = mid
  one.venue.rateUpdatedAt = one.now
  one.run(ms)
}
const rules = (one: Harness) => one.state().decision?.findings.map(({ rule }) => rule)
/** Lets time pass until the books are what is expected, or two minutes have gone. */
function untilBooks(one: Harness, is: 'break' | 'reconciled'): void {
  for (let second = 0; second < 120 && one.state().reconciliation.state !== is; second += 1) one.run(1_000)
  expect(one.state().reconciliation.state).toBe(is)
}
const failed = () => failureOf('server', { outcome: 'failed' })
const stateOf = (one: Harness) => one.state().decision?.tradingState

describe('a mid that is no good', () => {
  it.each([
    ['old', (one: Harness) => (one.venue.rateUpdatedAt = one.now - 400_000_000), 'mid-age'],
    ['not quotable', (one: Harness) => (one.venue.quotable = false), 'not-quotable'],
    ['undated after dated ones', (one: Harness) => (one.venue.rateUpdatedAt = null), 'mid-undated'],
  ])('because it is %s makes the quote safe, and good data mends it by itself', (_, spoil, rule) => {
    const one = desk()
    spoil(one)
    one.run(10_000)
    expect(rules(one)).toEqual([rule])
    expect(one.venue.held).toMatchObject(SAFE)
    expect(stateOf(one)).toBe('REDUCING')
    one.venue.quotable = true
    one.venue.rateUpdatedAt = one.now
    one.run(30_000)
    expect(one.venue.held).toMatchObject(TRADING)
    expect(stateOf(one)).toBe('ACTIVE')
  })

  it('because it is zero or no number makes the quote safe, and good data mends it by itself', () => {
    const one = desk()
    one.venue.answers.readRate = () => ({
      type: 'rate',
      mid: null,
      problem: 'midRateTZS is NaN',
      rateUpdatedAt: one.now,
      quotable: true,
      venueTime: null,
    })
    one.run(10_000)
    expect(rules(one)).toEqual(['mid-invalid'])
    expect(one.venue.held).toMatchObject(SAFE)
    delete one.venue.answers.readRate
    one.run(30_000)
    expect(one.venue.held).toMatchObject(TRADING)
  })
})

describe('a step of the mid over the bound', () => {
  const askOff = { quoteAsk: false, quoteBid: true, bidBps: 500 }
  const double = ({ venue }: Harness) => (venue.mid *= 2n)

  it.each<[string, Partial<typeof risk>, (one: Harness) => void, object]>([
    ['up: the ask, which would give shillings away, goes off and the bid is safe', {}, double, askOff],
    [
      'down: the bid, which would give dollars away, goes off and the ask is safe',
      {},
      ({ venue }) => (venue.mid /= 2n),
      { quoteBid: false, quoteAsk: true, askBps: 500 },
    ],
    [
      'closes its side of a halted position too',
      { onHalt: 'safe' },
      (one) => {
        one.order({ name: 'halt' })
        double(one)
      },
      askOff,
    ],
  ])('%s', (_, change, step, held) => {
    const one = desk(change)
    step(one)
    one.run(10_000)
    expect(one.venue.held).toMatchObject(held)
  })

  it('is not confirmed by a second publication near it', () => {
    const one = desk()
    publish(one, (one.venue.mid * 105n) / 100n)
    publish(one, one.venue.mid + 10n ** 18n, 3_600_000)
    expect(one.venue.held).toMatchObject(askOff)
  })
})

describe('HALTED', () => {
  it('by a loss survives a restart, and a reload; only resume lifts it', () => {
    const one = desk({ maxLossTzs: 1_000n * TZS36, onHalt: 'safe' })
    publish(one, (one.venue.mid * 99n) / 100n)
    expect(one.state().latch.halted).toMatchObject({ rule: 'loss' })
    expect(one.venue.held).toMatchObject(SAFE)
    // The loss is made good again: what is latched stays latched.
    publish(one, 2_500n * 10n ** 18n, 60_000)
    expect(stateOf(one)).toBe('HALTED')
    one.restart()
    one.run(60_000)
    expect(stateOf(one)).toBe('HALTED')
    one.give({ type: 'reloaded', t: one.now, config: one.state().config })
    one.run(10_000)
    expect(one.venue.held).toMatchObject(SAFE)
    expect(one.order({ name: 'resume' })).toMatchObject({ accepted: true })
    one.run(10_000)
    expect(stateOf(one)).toBe('ACTIVE')
    expect(one.venue.held).toMatchObject(TRADING)
  })

  it('is halted again at once while its reason stands', () => {
    const one = desk({ maxLossTzs: 1_000n * TZS36 })
    publish(one, (one.venue.mid * 99n) / 100n)
    one.order({ name: 'resume' })
    expect(one.state().latch.halted).toMatchObject({ rule: 'loss' })
  })

  it('by a drawdown, though there is a profit since the start', () => {
    const one = desk({ maxDrawdownTzs: 1_000n * TZS36 })
    publish(one, (one.venue.mid * 101n) / 100n)
    expect(one.state().latch.halted).toBeNull()
    publish(one, (one.venue.mid * 995n) / 1000n)
    expect(one.state().latch.halted).toMatchObject({ rule: 'drawdown' })
  })

  it('because the position cannot be valued, where a loss limit is set: that is not a zero', () => {
    const answers = { readRate: failed, readBestQuote: failed }
    const one = runCore(10_000, { config: { risk: { ...risk, maxLossTzs: TZS36 } }, venue: { answers } })
    expect(one.state().latch.halted).toMatchObject({ rule: 'cannot-value' })
  })

  it('by the key the venue refuses, with one clear word of it', () => {
    const one = desk()
    one.venue.answers.readFills = () => failureOf('auth', { status: 401, route: 'GET /fills' })
    one.run(10_000)
    expect(one.state().latch.halted).toMatchObject({ rule: 'auth' })
    expect(one.alerts('auth')).toHaveLength(1)
  })
})

describe('errors', () => {
  it('in a row make the quote safe, and an answer mends it', () => {
    const one = desk()
    one.venue.answers = { readFills: failed, readRate: failed, readBalances: failed, readAccount: failed }
    one.run(30_000)
    expect(rules(one)).toContain('error-cycles')
    expect(one.venue.held).toMatchObject(SAFE)
    one.venue.answers = {}
    one.run(60_000)
    expect(one.venue.held).toMatchObject(TRADING)
  })

  it.each(['readFills', 'readRate', 'readBalances'] as const)(
    'of %s alone make the quote safe though everything else is answered',
    (route) => {
      const one = desk()
      one.venue.answers[route] = () => failureOf('malformed')
      one.run(200_000)
      expect(rules(one)).toContain('error-cycles')
      expect(one.venue.held).toMatchObject(SAFE)
    },
  )

  it('of a quote that cannot be read leave the count of the others alone', () => {
    const config = { strictReadings: true, risk: { ...coreConfig().risk, errorCyclesThreshold: 1 } } as const
    const one = runCore(120_000, { config, venue: { answers: { readQuote: () => failureOf('malformed') } } })
    expect(one.state().pacing.polls.quoteBid.failures).toBeGreaterThan(2)
    expect(one.state().errorCycles).toBe(0)
    expect(one.venue.held).toMatchObject(TRADING)
    expect(one.effects.filter(({ type }) => type === 'setQuote')).toHaveLength(1)
  })

  it('of the public endpoint are no one’s worry', () => {
    const one = desk()
    one.venue.answers.readBestQuote = () => failureOf('network')
    one.run(120_000)
    expect(one.venue.held).toMatchObject(TRADING)
  })
})

describe('the books', () => {
  it('units that no one can explain: safe at once, halted after the grace, mended by the operator', () => {
    const one = desk({ onHalt: 'safe' })
    one.venue.amounts.NTZS -= NTZS
    untilBooks(one, 'break')
    one.run(1_000)
    expect(one.state().reconciliation.unreconciled).toEqual({ NTZS: -NTZS })
    expect(one.venue.held).toMatchObject(SAFE)
    expect(stateOf(one)).toBe('REDUCING')
    one.run(70_000)
    expect(one.state().latch.halted).toMatchObject({ rule: 'unexplained-balance' })
    expect(one.order({ name: 'resume' })).toMatchObject({ accepted: false })
    expect(one.order({ name: 'resume', book: 'withdrawal' })).toMatchObject({ accepted: true })
    one.run(60_000)
    expect(one.venue.held).toMatchObject(TRADING)
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
    expect(one.state().book.accounts.external.NTZS).toBe(NTZS)
  })

  it('are booked by the difference that the operator has seen, and not by one that has changed since', () => {
    const one = desk({ onHalt: 'safe' })
    one.venue.amounts.NTZS -= NTZS
    untilBooks(one, 'break')
    const seen = { NTZS: -NTZS }
    one.venue.amounts.USDC -= 5n * USD
    one.run(10_000)
    const present = { NTZS: -NTZS, USDC: -5n * USD }
    const refused = one.order({ name: 'resume', book: 'withdrawal', expect: seen })
    expect(refused).toMatchObject({ accepted: false, answer: expect.stringContaining('-1 NTZS, -5 USDC') })
    expect(one.order({ name: 'resume', book: 'withdrawal', expect: present })).toMatchObject({
      accepted: true,
    })
    one.run(60_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
    const again = one.order({ name: 'resume', book: 'withdrawal', expect: present })
    expect(again).toMatchObject({ accepted: false, answer: expect.stringContaining('ledger agree') })
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
  })

  it('that cannot be compared are not taken for proven: safe until they can be', () => {
    const one = desk()
    one.venue.answers.readAccount = () => failureOf('server')
    one.restart()
    one.venue.amounts.USDC -= USD
    one.run(240_000)
    expect(one.state().reconciliation).toMatchObject({
      state: 'break',
      why: expect.stringContaining('compared'),
    })
    expect(one.venue.held).toMatchObject(SAFE)
    one.venue.amounts.USDC += USD
    delete one.venue.answers.readAccount
    one.run(240_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.venue.held).toMatchObject(TRADING)
  })

  it('are not proven either by balances of another place than the account says', () => {
    const one = desk()
    one.venue.answers.readBalances = () => ({
      type: 'balances',
      sentAt: one.now,
      amounts: one.venue.amounts,
      source: 'wallet',
    })
    one.run(240_000)
    expect(one.state().reconciliation.state).toBe('break')
    expect(one.venue.held).toMatchObject(SAFE)
  })

  it('booked after a restart, before the account has said anything, are booked where they are missing', () => {
    const one = desk({ onHalt: 'safe' })
    one.venue.amounts.NTZS -= NTZS
    untilBooks(one, 'break')
    one.run(70_000)
    one.venue.answers.readAccount = () => 'silence'
    one.restart()
    expect(one.order({ name: 'resume', book: 'withdrawal' })).toMatchObject({ accepted: true })
    delete one.venue.answers.readAccount
    one.run(120_000)
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
    expect(one.state().book.accounts.wallet.NTZS).toBe(0n)
    expect(one.state().reconciliation.state).toBe('reconciled')
  })

  it('a gap that stood before a restart stands after it, and its grace is not given again', () => {
    const one = desk({ unexplainedGraceMs: 60_000 })
    one.venue.amounts.USDC -= USD
    untilBooks(one, 'break')
    one.run(50_000)
    expect(one.state().latch.halted).toBeNull()
    one.restart()
    one.run(20_000)
    expect(one.state().latch.halted).toMatchObject({ rule: 'unexplained-balance' })
  })

  it('dust that came in is booked as dust and no one is woken', () => {
    const one = desk()
    one.venue.amounts.USDC += 7n
    one.run(60_000)
    expect(one.state().book.accounts.adjustments.USDC).toBe(-7n)
    expect(one.venue.held).toMatchObject(TRADING)
    expect(one.state().reconciliation.state).toBe('reconciled')
  })

  it('a difference of dust size that went out is a reconciliation break and is not booked as dust', () => {
    const one = desk()
    one.venue.amounts.USDC -= 7n
    untilBooks(one, 'break')
    expect(one.state().reconciliation.unreconciled).toEqual({ USDC: -7n })
    expect(one.state().book.accounts.adjustments.USDC).toBe(0n)
  })

  it('fills that may have been missed are safe until the balances prove that none was', () => {
    const one = desk()
    one.venue.answers.readFills = () =>
      fillsAnswer({ sentAt: one.now, fills: [bringDollars(one.venue, USD)], windowFull: true })
    one.run(2_100)
    delete one.venue.answers.readFills
    expect(one.observations).toContainEqual(
      expect.objectContaining({ type: 'reconciliationChanged', state: 'break' }),
    )
    one.run(60_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.venue.held).toMatchObject(TRADING)
  })
})

describe('a pause', () => {
  it('is the safe quote, survives a restart, and is lifted by resume', () => {
    const one = desk()
    one.order({ name: 'pause' })
    one.run(5_000)
    expect(one.venue).toMatchObject({ isActive: true, held: SAFE })
    one.restart()
    one.run(20_000)
    expect(one.venue.held).toMatchObject(SAFE)
    one.order({ name: 'resume' })
    one.run(10_000)
    expect(one.venue.held).toMatchObject(TRADING)
  })
})
