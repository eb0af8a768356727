import { describe, expect, it } from 'vitest'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { activationAnswer } from '../../../../support/answers.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'

const { pacing, quote, risk } = coreConfig()
const inactive = (desk: ReturnType<typeof coreHarness>) =>
  desk.effects.filter((effect) => effect.type === 'activate' && !effect.isActive)
const active = (desk: ReturnType<typeof coreHarness>) =>
  desk.effects.filter((effect) => effect.type === 'activate' && effect.isActive)
const last = (desk: ReturnType<typeof coreHarness>) =>
  desk.observations.findLast(({ type }) => type === 'entryPosted')

describe('going to market', () => {
  it('waits for the confirmation of the spread that will stand there', () => {
    const desk = coreHarness()
    desk.venue.answers.setQuote = () => 'silence'
    desk.run(4_000)
    expect(active(desk)).toEqual([])
  })

  it('does not happen to show the safe quote', () => {
    const desk = runCore(60_000, { venue: { quotable: false } })
    expect(desk.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    expect(active(desk)).toEqual([])
  })

  it('waits, also when an operator wants it, while the venue prices outside the corridor', () => {
    const corridor = { min: 2_000n * RATE_ONE, max: 3_000n * RATE_ONE }
    const desk = runCore(10_000, {
      config: { activation: 'manual', risk: { ...risk, priceCorridor: corridor } },
      venue: { mid: 25n * RATE_ONE },
    })
    desk.order({ name: 'activate' })
    desk.run(30_000)
    expect(active(desk)).toEqual([])
    desk.venue.mid = 2_500n * RATE_ONE
    desk.run(30_000)
    expect(desk.venue.isActive).toBe(true)
  })

  it('sweeps the wallet into the pool, and the book with it, to the last unit', () => {
    const desk = runCore(10_000)
    expect(last(desk)).toMatchObject({ entry: { kind: 'sweep' } })
    expect(desk.state().book.accounts.pool).toEqual(desk.venue.amounts)
    expect(desk.state().book.accounts.wallet).toMatchObject({ NTZS: 0n, USDC: 0n })
    expect(desk.state().reconciliation.state).toBe('reconciled')
  })

  it('is not repeated by the next process while the call of the one before may still be carried out', () => {
    const desk = coreHarness()
    desk.venue.answers.activate = () => 'silence'
    desk.run(5_000)
    expect(active(desk)).toHaveLength(1)
    desk.restart()
    desk.run(60_000)
    expect(active(desk)).toHaveLength(1)
    // Nothing came of it: then it is another call.
    desk.run(60_000)
    expect(active(desk).length).toBeGreaterThan(1)
  })

  it('is repeated at once where a person asks for it after the process has changed', () => {
    const desk = coreHarness()
    desk.venue.answers.activate = () => 'silence'
    desk.run(5_000)
    desk.restart()
    delete desk.venue.answers.activate
    desk.run(5_000)
    desk.order({ name: 'activate' })
    desk.run(5_000)
    expect(desk.venue.isActive).toBe(true)
  })

  it('is tried again with a pause while the venue is busy (409)', () => {
    const desk = coreHarness()
    desk.venue.answers.activate = () => failureOf('refused', { status: 409, code: 'ACTIVATION_IN_PROGRESS' })
    desk.run(60_000)
    expect(active(desk).length).toBeGreaterThan(2)
    expect(active(desk).length).toBeLessThan(8)
    delete desk.venue.answers.activate
    desk.run(60_000)
    expect(desk.venue.isActive).toBe(true)
  })

  it('is not asked for as fast as a venue answers that says done and does nothing', () => {
    const desk = coreHarness()
    desk.venue.answers.activate = () => activationAnswer({ isActive: false })
    desk.run(60_000)
    expect(active(desk).length).toBeLessThan(8)
  })

  it('without an answer is unknown: the account tells, nothing is sent twice meanwhile', () => {
    const desk = coreHarness()
    desk.venue.answers.activate = () => {
      desk.venue.isActive = true
      return failureOf('timeout')
    }
    desk.run(30_000)
    expect(active(desk)).toHaveLength(1)
    expect(desk.state().activation.isActive).toBe(true)
    expect(desk.state().reconciliation.state).toBe('reconciled')
  })

  it('by command while active takes in what was sent to the wallet, as a deposit and without a halt', () => {
    const desk = runCore(60_000)
    const topUp = 25n * 10n ** 18n
    desk.venue.answers.activate = () => {
      desk.venue.amounts.USDC += topUp
      return { type: 'activation', isActive: true, partial: false, returned: [] }
    }
    expect(desk.order({ name: 'activate' }).answer).toContain('activated again')
    desk.run(120_000)
    expect(active(desk)).toHaveLength(2)
    expect(desk.state().book.accounts.pool).toEqual(desk.venue.amounts)
    expect(desk.state().book.accounts.external.USDC).toBe(-topUp)
    expect(desk.state().latch.halted).toBeNull()
  })

  it('never happens in a dry run, not even by command', () => {
    const desk = runCore(10_000, { config: { mode: 'dry-run' } })
    expect(desk.order({ name: 'activate' })).toMatchObject({ accepted: false })
    desk.run(60_000)
    expect(desk.effects.filter(({ type }) => type === 'activate')).toEqual([])
  })
})

describe('what the account says', () => {
  it('that was done in the dashboard is learned: out of the market, and in again by ourselves', () => {
    const desk = runCore(10_000)
    desk.venue.isActive = false
    desk.run(120_000)
    expect(active(desk)).toHaveLength(2)
    expect(desk.venue.isActive).toBe(true)
    expect(desk.state().book.accounts.pool).toEqual(desk.venue.amounts)
  })

  it('while a sweep without an answer continues is not the last word: it is read again until it can have ended', () => {
    const desk = runCore(10_000, { config: { pacing: { ...pacing, accountIntervalMs: 3_600_000 } } })
    desk.venue.answers.activate = () => failureOf('timeout')
    desk.order({ name: 'halt' })
    desk.run(1_000)
    desk.order({ name: 'resume' })
    desk.run(40_000)
    expect(desk.state().activation.isActive).toBe(true)
    delete desk.venue.answers.activate
    desk.venue.isActive = false
    desk.run(120_000)
    expect(active(desk)).toHaveLength(2)
    expect(desk.venue.isActive).toBe(true)
  })

  it('that was requested before an activation does not undo it once the activation was answered', () => {
    const desk = runCore(10_000, { config: { activation: 'manual' } })
    desk.venue.answers.readAccount = () => 'silence'
    desk.run(120_000)
    const asked = desk.effects.findLast(({ type }) => type === 'readAccount')
    desk.order({ name: 'activate' })
    desk.run(1_000)
    expect(desk.state().activation.isActive).toBe(true)
    const request = asked?.id ?? 0
    desk.give({ type: 'account', t: desk.now, request, isActive: false, walletAddress: null })
    expect(desk.state().activation.isActive).toBe(true)
  })
})

describe('leaving the market', () => {
  it('in part (207) keeps the position active, books what came back, says so and asks again', () => {
    const desk = runCore(10_000)
    desk.venue.answers.activate = () => ({
      type: 'activation',
      isActive: true,
      partial: true,
      returned: ['USDC'],
    })
    desk.order({ name: 'deactivate' })
    desk.run(1_000)
    expect(desk.state().book.accounts.wallet.USDC).toBe(desk.venue.amounts.USDC)
    expect(desk.state().book.accounts.pool.NTZS).toBe(desk.venue.amounts.NTZS)
    expect(desk.observations).toContainEqual(expect.objectContaining({ code: 'partial-deactivation' }))
    delete desk.venue.answers.activate
    desk.run(5_000)
    expect(inactive(desk)).toHaveLength(2)
    expect(desk.state().book.accounts.wallet).toEqual(desk.venue.amounts)
    expect(desk.state().book.accounts.pool).toMatchObject({ NTZS: 0n, USDC: 0n })
  })

  it('in part, and then wanted in the market again: what came back goes in again, in the book too', () => {
    const desk = runCore(10_000)
    const whole = { ...desk.venue.amounts }
    desk.venue.answers.activate = (effect) => {
      const isPart = effect.type === 'activate' && !effect.isActive
      desk.venue.amounts = isPart ? { ...whole, USDC: 0n } : whole
      return { type: 'activation', isActive: true, partial: isPart, returned: isPart ? ['USDC'] : [] }
    }
    desk.order({ name: 'halt' })
    desk.run(1_000)
    expect(desk.state().book.accounts.wallet.USDC).toBe(whole.USDC)
    desk.order({ name: 'resume' })
    desk.run(60_000)
    expect(desk.effects.findLast(({ type }) => type === 'activate')).toMatchObject({ isActive: true })
    expect(active(desk)).toHaveLength(2)
    expect(desk.state().book.accounts.pool).toEqual(whole)
    expect(desk.state().reconciliation.state).toBe('reconciled')
  })

  it('by command lasts until a command ends it', () => {
    const desk = runCore(10_000)
    expect(desk.order({ name: 'deactivate' })).toMatchObject({ accepted: true })
    desk.run(300_000)
    desk.restart()
    desk.run(300_000)
    expect(desk.venue.isActive).toBe(false)
    expect(desk.order({ name: 'activate' })).toMatchObject({ accepted: true })
    desk.run(10_000)
    expect(desk.venue.isActive).toBe(true)
  })

  it('happens on a halt, after the spread was widened', () => {
    const desk = runCore(10_000)
    desk.effects.length = 0
    desk.order({ name: 'halt' })
    desk.run(5_000)
    const writes = desk.effects.filter(({ type }) => type === 'setQuote' || type === 'activate')
    expect(writes.map(({ type }) => type)).toEqual(['setQuote', 'activate'])
    expect(desk.venue).toMatchObject({ isActive: false, held: { bidBps: 500, askBps: 500 } })
  })

  it('never happens where activation is manual: a halt means the safe quote', () => {
    const desk = coreHarness({
      config: { activation: 'manual', quote: { ...quote, whenBothOff: 'deactivate' } },
    })
    desk.venue.isActive = true
    desk.run(10_000)
    desk.order({ name: 'halt' })
    desk.run(60_000)
    expect(desk.effects.filter(({ type }) => type === 'activate')).toEqual([])
    expect(desk.venue).toMatchObject({ isActive: true, held: { bidBps: 500, askBps: 500 } })
  })
})

describe('a halt', () => {
  it('is not traded into: an activation wished for before waits for the resume', () => {
    const desk = runCore(10_000, { config: { activation: 'manual', risk: { ...risk, onHalt: 'safe' } } })
    desk.venue.answers.setQuote = () => failureOf('refused')
    desk.restart()
    desk.run(1_000)
    expect(desk.state().quoting.status).toBe('unknown')
    desk.order({ name: 'activate' })
    desk.order({ name: 'halt' })
    delete desk.venue.answers.setQuote
    desk.run(30_000)
    expect(active(desk)).toEqual([])
    expect(desk.order({ name: 'activate' })).toMatchObject({ accepted: false })
    desk.order({ name: 'resume' })
    desk.run(10_000)
    expect(active(desk)).toHaveLength(1)
  })
})

describe('the end of the process', () => {
  const leaving = (onExit: 'keep' | 'widen' | 'deactivate') => {
    const desk = runCore(10_000, { config: { quote: { ...quote, onExit } } })
    desk.effects.length = 0
    desk.order({ name: 'shutdown' })
    desk.run(10_000)
    return desk
  }

  it('keep: not one request more', () => {
    const desk = leaving('keep')
    expect(desk.effects).toEqual([])
    expect(desk.venue).toMatchObject({ isActive: true, held: { bidBps: 60 } })
  })

  it('widen: the safe quote stands and the position stays in the market', () => {
    expect(leaving('widen').venue).toMatchObject({ isActive: true, held: { bidBps: 500, askBps: 500 } })
  })

  it('deactivate: widened, then out of the market', () => {
    const desk = leaving('deactivate')
    expect(desk.venue).toMatchObject({ isActive: false, held: { bidBps: 500, askBps: 500 } })
  })

  it('does not outlive itself: the next process trades again', () => {
    const desk = leaving('deactivate')
    desk.restart()
    desk.run(10_000)
    expect(desk.venue).toMatchObject({ isActive: true, held: { bidBps: 60, askBps: 60 } })
  })
})
