import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../../../src/base/time.ts'
import { rfqView } from '../../../../../src/daemon/view/rfq-view.ts'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import {
  ASK,
  BID,
  orderHarness,
  SOLVER,
  type OrderHarness,
  type Placing,
  runOrders,
} from '../../../../support/order-harness.ts'

const OTHER = `0x${'4'.repeat(40)}` as const
const usd = (dollars: number) => BigInt(dollars) * 10n ** 18n

const reserved = (world: OrderHarness) => world.seen('orderReserved')
const asked = (world: OrderHarness) => world.core.effects.filter(({ type }) => type === 'placeOrder').length
const blocked = ({ core }: OrderHarness) => rfqView(core.state(), core.now)?.blocked ?? null

/** A venue that names one solver, and a signer that signs for another one or for no one. */
function named(solverWallet: string, pinnedSolver: typeof SOLVER | null): OrderHarness {
  const info = { type: 'solver', solverWallet, pinnedSolver, chainId: null, exchange: null } as const
  return orderHarness({ venue: { answers: { readSolver: () => info } } })
}

describe('the pinned solver', () => {
  it('that the venue names as well is whom orders are for', () => {
    const world = named(SOLVER.toUpperCase().replace('0X', '0x'), SOLVER)
    world.run(10_000)
    expect(world.owed().map(({ order }) => order.taker)).toEqual([SOLVER, SOLVER])
    expect(world.core.state().latch.halted).toBeNull()
  })

  it('that the venue exchanges for another one halts with a critical alert, and nothing is signed', () => {
    const world = named(OTHER, SOLVER)
    world.run(10_000)
    const { halted } = world.core.state().latch
    expect(halted?.rule).toBe('solver-changed')
    expect(halted?.why).toContain(OTHER)
    expect(halted?.why).toContain(SOLVER)
    expect(world.alerts('solver-changed').map(({ severity }) => severity)).toEqual(['critical'])
    expect(asked(world)).toBe(0)
  })

  it('that is exchanged while orders stand halts within the ten minutes between two questions', () => {
    let solverWallet: string = SOLVER
    const world = runOrders(MINUTE_MS, {
      venue: {
        answers: {
          readSolver: () => ({
            type: 'solver',
            solverWallet,
            pinnedSolver: SOLVER,
            chainId: null,
            exchange: null,
          }),
        },
      },
    })
    expect(world.core.state().latch.halted).toBeNull()
    solverWallet = OTHER
    world.run(10 * MINUTE_MS)
    expect(world.core.state().latch.halted?.rule).toBe('solver-changed')
    const before = asked(world)
    world.core.order({ name: 'resume' })
    world.run(MINUTE_MS)
    // Nothing has changed, so it halts again and nothing is signed.
    expect(world.core.state().latch.halted?.rule).toBe('solver-changed')
    expect(asked(world)).toBe(before)
    solverWallet = SOLVER
    world.run(MINUTE_MS)
    world.core.order({ name: 'resume' })
    world.run(MINUTE_MS)
    expect(world.core.state().latch.halted).toBeNull()
    expect(asked(world)).toBeGreaterThan(before)
  })

  it('that is not confirmed lets nothing be signed, and names the command that confirms it', () => {
    const world = named(SOLVER, null)
    world.run(10_000)
    expect(asked(world)).toBe(0)
    expect(blocked(world)).toContain('mizani custody enable')
    expect(world.core.state().latch.halted).toBeNull()
  })
})

describe('a refusal of the signer', () => {
  const codes: readonly (readonly [string, number])[] = [
    ['SIGN_OUTSIDE_CORRIDOR', 30_000],
    ['SIGN_ORDER_TOO_LARGE', 30_000],
    ['SIGN_OUTSTANDING_LIMIT', 15_000],
    ['SIGN_HOURLY_LIMIT', 300_000],
    ['SIGN_DAILY_LIMIT', 900_000],
    ['SIGN_TOO_MANY', 15_000],
    ['SIGN_SALT_REUSED', 30_000],
    ['SIGN_DUPLICATE', 5_000],
    ['SIGN_STOPPED', 30_000],
    ['SIGN_NO_SOLVER', 60_000],
    ['SIGN_CHAIN_UNSEEN', 5_000],
    ['SIGN_STATE_FAILED', 30_000],
  ]

  it.each(codes)(
    'with %s gives the order back, is notified by its code, and waits %i ms',
    (code, pauseMs) => {
      const failure = {
        ...failureOf('refused'),
        code,
        route: 'sign',
        status: null,
        message: `not signed: ${code}`,
      }
      const fate: Placing = { hash: null, stage: 'sign', isVoid: true, failure }
      const world = orderHarness({ wishes: [BID] })
      world.placing = () => fate
      const ms = Math.min(4 * pauseMs, 30 * MINUTE_MS)
      world.run(ms)
      expect(world.owed()).toEqual([])
      expect(world.held.size).toBe(0)
      expect(world.seen('orderRejected').every((one) => one.code === code && one.isVoid)).toBe(true)
      expect(world.alerts('order-rejected')[0]?.message).toContain(code)
      // No hot loop: one try a pause, and the core comes back by itself.
      expect(asked(world)).toBeLessThanOrEqual(ms / pauseMs + 1)
      expect(asked(world)).toBeGreaterThanOrEqual(ms / pauseMs / 3)
      expect(blocked(world)).toContain(code)
      world.placing = () => 'placed'
      world.run(pauseMs + MINUTE_MS)
      expect(world.owed().length).toBeGreaterThan(0)
    },
  )
})

describe('what the signer would refuse is not asked of it', () => {
  it('an order above rfq.maxOrderUsd becomes that large, and is not replaced indefinitely', () => {
    const world = runOrders(MINUTE_MS, { wishes: [{ ...BID, usd: 400 }], rfq: { maxOrderUsd: usd(150) } })
    expect(reserved(world).map((one) => one.usd)).toEqual([usd(150)])
  })

  it('a level outside risk.priceCorridor is left out, the others stand', () => {
    const priceCorridor = { min: 2_400n * RATE_ONE, max: 2_600n * RATE_ONE }
    const wishes = [BID, ASK, { ...BID, tzsPerUsd: 2_600 }, { ...ASK, tzsPerUsd: 25 }]
    const world = runOrders(MINUTE_MS, { wishes, config: { risk: { ...coreConfig().risk, priceCorridor } } })
    expect(new Set(world.owed().map(({ price }) => price))).toEqual(
      new Set([2_485n * RATE_ONE, 2_515n * RATE_ONE]),
    )
    world.want([{ ...ASK, tzsPerUsd: 25 }])
    world.run(5 * MINUTE_MS)
    expect(blocked(world)).toMatch(/risk\.priceCorridor, 2400/)
  })

  it('more than rfq.maxOutstandingUsd is never outstanding, whatever is wanted and filled', () => {
    const levels = [0, 10, 20, 30].map((step) => ({ ...BID, tzsPerUsd: 2_515 + step }))
    const world = orderHarness({ wishes: levels, rfq: { maxOutstandingUsd: usd(250) } })
    for (let minute = 0; minute < 10; minute++) {
      world.run(MINUTE_MS)
      const outstanding = world.owed().reduce((sum, { order }) => sum + order.makerAmount, 0n)
      expect(outstanding * 10n ** 12n).toBeLessThanOrEqual(usd(250))
      expect(world.owed().length).toBeGreaterThan(0)
    }
    const small = runOrders(MINUTE_MS, { wishes: [BID], rfq: { maxOutstandingUsd: usd(99) } })
    expect(blocked(small)).toMatch(/100\.00 .*maxOutstandingUsd of 99/)
  })
})

describe('an order that the venue refuses because the position is not in self-custody', () => {
  it('is the last one, with a critical alert, until a person resumes', () => {
    const failure = { ...failureOf('refused'), code: 'NOT_SELF_CUSTODY', status: 409, message: 'POST: 409' }
    const world = orderHarness({ wishes: [BID] })
    world.placing = () => ({ hash: null, stage: 'submit', isVoid: false, failure })
    world.run(10_000)
    expect(world.alerts('order-rejected').map(({ severity }) => severity)).toEqual(['critical'])
    expect(blocked(world)).toContain('self-custody')
    world.placing = () => 'placed'
    const before = asked(world)
    world.run(20 * MINUTE_MS)
    expect(asked(world)).toBe(before)
    world.core.order({ name: 'resume' })
    world.run(MINUTE_MS)
    expect(asked(world)).toBeGreaterThan(before)
  })
})

describe('the share of requests that the ladder may have', () => {
  it('is shown, and an empty ladder that waits for it names the wait and its end', () => {
    const world = orderHarness({ wishes: [] })
    const share = () => rfqView(world.core.state(), world.core.now)?.requestShare ?? { limit: 0, used: 0 }
    const said: string[] = []
    for (let turn = 0; turn < 12; turn++) {
      // Taken at once, and the price moves on: every turn wants three orders more.
      const wishes = [0, 20, 40].map((step) => ({ ...BID, usd: 5, tzsPerUsd: 2_515 + turn * 3 + step }))
      world.want(wishes)
      for (const { order, takerFilled } of world.owed())
        world.chain.submit({ kind: 'fill', order, takerAmount: order.takerAmount - takerFilled })
      world.run(4_000)
      expect(share().used).toBeLessThanOrEqual(share().limit)
      const why = blocked(world)
      if (why !== null) said.push(why)
    }
    expect(share().limit).toBe(17)
    expect(share().used).toBeGreaterThan(14)
    expect(said.join('\n')).toMatch(
      /the ladder has used \d+ of its 17 requests this minute.*the next order is sent in \d+ s/,
    )
  })
})
