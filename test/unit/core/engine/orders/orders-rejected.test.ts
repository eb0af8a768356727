import { describe, expect, it } from 'vitest'
import type { VenueFailure } from '../../../../../src/core/engine/model/venue-answer.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import {
  BID,
  hashOfOrder,
  type OrderHarness,
  type Placing,
  runOrders,
} from '../../../../support/order-harness.ts'

function refused(code: string, change: Partial<VenueFailure> = {}): Placing {
  const failure = { ...failureOf('refused'), code, status: 400, message: `the venue: ${code}`, ...change }
  return { hash: `0x${'c'.repeat(64)}`, stage: 'submit', isVoid: false, failure }
}

const OTHER = { ...BID, usd: 50, tzsPerUsd: 2_600 }

/** Two orders stand and the third meets this fate; what was signed before and how many are owed. */
function met(fate: Placing): OrderHarness {
  const world = runOrders(10_000, { wishes: [BID] })
  world.placing = () => fate
  world.want([BID, OTHER])
  world.run(100)
  return world
}

function signed(world: OrderHarness): number {
  return world.core.effects.filter(({ type }) => type === 'placeOrder').length
}

function infosAsked(world: OrderHarness): number {
  return world.core.effects.filter(({ type }) => type === 'readSolver').length
}

// The venue's table of order errors: how long nothing more is signed, how loud it is, whether the solver is asked again.
const TABLE: readonly (readonly [string, number, 'critical' | 'warning', 'and asks again' | ''])[] = [
  ['pooled_capital_active', 60_000, 'critical', ''],
  ['BAD_ORDER', 300_000, 'critical', ''],
  ['BAD_SIGNATURE', 300_000, 'critical', ''],
  ['UNSUPPORTED_CHAIN', 300_000, 'critical', ''],
  ['UNKNOWN_TOKEN', 300_000, 'critical', ''],
  ['SAME_TOKEN', 300_000, 'critical', ''],
  ['NOT_TZS_TOKEN_PAIR', 300_000, 'critical', ''],
  ['WRONG_MAKER', 300_000, 'critical', ''],
  ['WRONG_TAKER', 60_000, 'critical', 'and asks again'],
  ['WRONG_TX_ORIGIN', 60_000, 'critical', 'and asks again'],
  ['NOT_FOUND', 300_000, 'critical', ''],
  ['EXPIRES_TOO_SOON', 30_000, 'warning', ''],
  ['EXPIRES_TOO_LATE', 30_000, 'warning', ''],
  ['ORDER_NOT_FILLABLE', 5_000, 'warning', ''],
  ['CHAIN_UNAVAILABLE', 5_000, 'warning', ''],
  ['A_CODE_OF_TOMORROW', 5_000, 'warning', ''],
]

describe('an order that the venue refuses', () => {
  it.each(TABLE)(
    'with %s stays outstanding, stops the next ones for %i ms and is notified as %s %s',
    (code, pauseMs, severity, asksAgain) => {
      const world = met(refused(code))
      expect(world.owed().map(({ phase }) => phase)).toEqual(['open', 'refused'])
      expect(world.owed()[1]!.hash).not.toBeNull()
      expect(world.core.state().rfq.counts).toMatchObject({ rejected: 1, void: 0, signed: 2 })
      const alerts = world.alerts('order-rejected')
      expect(alerts.map((alert) => alert.severity)).toEqual([severity])
      expect(alerts[0]!.message).toContain(code)
      expect(infosAsked(world)).toBe(asksAgain === '' ? 1 : 2)
      const before = signed(world)
      const left = pauseMs - 100
      world.run(left - 200)
      // The orders that stood live their life: nothing takes the place of the refused one before the pause is over.
      expect(signed(world)).toBe(before)
      world.run(3_000)
      expect(signed(world)).toBeGreaterThan(before)
    },
  )

  it('a hundred times signs no more than the pauses allow, and never forgets one', () => {
    const world = met(refused('ORDER_NOT_FILLABLE'))
    world.run(60_000)
    const { counts } = world.core.state().rfq
    expect(counts.rejected).toBeLessThanOrEqual(13)
    expect(world.alerts('order-rejected').length).toBeLessThanOrEqual(13)
    expect(world.owed()).toHaveLength(counts.signed)
  })

  it('because of the rate limit holds every request back as long as the venue says', () => {
    const failure = { ...failureOf('rate-limit'), status: 429, retryAfterMs: 20_000 }
    const world = met({ hash: null, stage: 'submit', isVoid: false, failure })
    expect(world.owed().map(({ phase }) => phase)).toEqual(['open', 'refused'])
    const before = world.core.keyed.length
    world.run(15_000)
    const reads = world.core.effects.filter(
      ({ type }) => type === 'readChain' || type === 'readBestQuote',
    ).length
    expect(reads).toBeGreaterThan(0)
    const sent = world.core.effects.slice(-(world.core.keyed.length - before)).map(({ type }) => type)
    expect(sent.filter((type) => type !== 'readChain' && type !== 'readBestQuote')).toEqual([])
  })

  it('because of the key stops everything until someone resumes', () => {
    const world = met({
      hash: null,
      stage: 'submit',
      isVoid: false,
      failure: { ...failureOf('auth'), status: 403 },
    })
    expect(world.core.state().authFailure).toContain('403')
    world.placing = () => 'placed'
    const before = signed(world)
    world.run(60_000)
    expect(signed(world)).toBe(before)
  })

  it('and that is filled all the same is booked, for the contract does not ask the venue', () => {
    const world = met(refused('CHAIN_UNAVAILABLE'))
    const { order } = world.owed()[1]!
    world.chain.submit({ kind: 'fill', order, takerAmount: order.takerAmount })
    world.wishes = []
    world.run(15_000)
    expect(world.seen('orderFilled').map(({ salt }) => salt)).toEqual([order.salt])
    expect(world.core.state().reconciliation.state).toBe('reconciled')
  })
})

describe('an order without a clear answer', () => {
  it('stays outstanding as unknown, stands for no level, and the next one waits for five seconds', () => {
    const world = met({ hash: null, stage: 'submit', isVoid: false, failure: failureOf('timeout') })
    expect(world.owed().map(({ phase }) => phase)).toEqual(['open', 'unknown'])
    world.placing = () => 'placed'
    world.run(4_700)
    expect(world.owed()).toHaveLength(2)
    world.run(2_000)
    expect(world.owed().map(({ phase }) => phase)).toEqual(['open', 'unknown', 'open'])
    expect(world.owed()[2]!.order.makerAmount).toBe(50n * 10n ** 6n)
  })

  it('is learned of from the chain, hash and fills and all', () => {
    const world = met({ hash: null, stage: 'submit', isVoid: false, failure: failureOf('timeout') })
    const { order } = world.owed()[1]!
    world.run(4_000)
    expect(world.owed()[1]).toMatchObject({ hash: hashOfOrder(order), status: 'FILLABLE' })
  })
})

describe('an order that was never signed', () => {
  it('is given back, and nothing is signed for half a minute', () => {
    const failure = failureOf('refused', { code: 'WRONG_CHAIN' })
    const world = met({ hash: null, stage: 'sign', isVoid: true, failure })
    expect(world.owed()).toHaveLength(1)
    expect(world.core.state().rfq.counts).toMatchObject({ signed: 1, rejected: 1, void: 1 })
    expect(world.seen('orderResolved')).toMatchObject([{ how: 'void' }])
    const before = signed(world)
    world.run(29_000)
    expect(signed(world)).toBe(before)
    world.run(2_000)
    expect(signed(world)).toBeGreaterThan(before)
  })

  it('as far as anybody knows, but may have been, stays outstanding', () => {
    const failure = failureOf('timeout', { code: 'SIGNER_SILENT' })
    const world = met({ hash: null, stage: 'sign', isVoid: false, failure })
    expect(world.owed().map(({ phase }) => phase)).toEqual(['open', 'unknown'])
    expect(world.core.state().rfq.counts.signed).toBe(1)
  })
})
