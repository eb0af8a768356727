import { describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../../../src/base/result.ts'
import type { Chain, SentTransaction } from '../../../../src/custody/chain/chain.ts'
import { type CustodyClients, custodySteps } from '../../../../src/cli/custody/clients.ts'
import { disableCustody, type DisableHow } from '../../../../src/cli/custody/disable.ts'
import { enableCustody, type EnableParts } from '../../../../src/cli/custody/enable.ts'
import type { VenueFailure } from '../../../../src/core/engine/model/venue-answer.ts'
import type { Asset, TokenAmounts } from '../../../../src/base/money/asset.ts'
import type { Hex, OrderCancel, OrderStatus } from '../../../../src/core/rfq/rfq-order.ts'
import type { OpenOrder } from '../../../../src/core/rfq/open-order.ts'
import { MAKER, signableOrder, SOLVER } from '../../../support/signing-fixture.ts'
import { rfqSettings } from '../../../support/order-harness.ts'
import { failureOf } from '../../../support/failure-of.ts'

// The answers of venue and chain that a sandbox gives only by bad luck; the walk on a real chain is in test/e2e.

const NOW = 1_900_000_000_000
const SETTINGS = rfqSettings({
  exchange: '0xdef1c0ded9bec7f1a1670819833240f027b25eff',
  maker: MAKER,
  tokens: { NTZS: `0x${'a1'.repeat(20)}`, USDC: `0x${'b2'.repeat(20)}` },
  confirmations: 2,
  pollMs: 1,
  cancel: { policy: 'never', usdPerEth: 3_000, pickOffsPerMinute: 0.5 },
})
const FAILURE = failureOf('refused', { route: 'PUT /custody', message: 'PUT /custody: 409 X' })
const failure = (change: Partial<VenueFailure>) => err({ ...FAILURE, ...change })

/** A chain that keeps allowances and the states of orders, and fails where it is notified to. */
function testDesk(fails: Partial<Record<Asset | 'read' | 'cancel', VenueFailure>> = {}) {
  const allowances: Partial<TokenAmounts> = { NTZS: 0n, USDC: 0n }
  const states = new Map<bigint, OrderStatus>()
  const cancels: OrderCancel[] = []
  const clock = { now: NOW }
  const sent = ok<SentTransaction>({ txHash: `0x${'cd'.repeat(32)}`, nonce: 1 })
  const chain: Chain = {
    async read(orders) {
      if (fails.read !== undefined) return err(fails.read)
      return ok({
        head: { number: 9n, hash: '0x01', t: clock.now },
        orders: orders.map(({ salt }) => ({
          salt,
          hash: `0x${'ef'.repeat(32)}` as const,
          status: states.get(salt) ?? 'FILLABLE',
          takerFilled: 0n,
        })),
        fillsFrom: 9n,
        fills: [],
        balances: {},
        allowances,
        gasPriceWei: 10n ** 7n,
      })
    },
    async cancel(cancel) {
      if (fails.cancel !== undefined) return err(fails.cancel)
      cancels.push(cancel)
      if (cancel.kind === 'each') for (const { salt } of cancel.orders) states.set(salt, 'CANCELLED')
      else for (let salt = 0n; salt < cancel.minValidSalt; salt++) states.set(salt, 'CANCELLED')
      return sent
    },
    async approve(asset, amount) {
      const wrong = fails[asset]
      if (wrong !== undefined) return err(wrong)
      if (allowances[asset] === amount) return ok(null)
      allowances[asset] = amount
      return sent
    },
    wallet: async () => ok({ balances: { NTZS: 5n, USDC: 0n }, allowances }),
    close: async () => undefined,
  }
  const desk: CustodyClients = {
    settings: SETTINGS,
    approve: { NTZS: 7n * 10n ** 18n, USDC: 5_000_000n },
    chain,
    solvers: pinnedTo(SOLVER),
    close: async () => undefined,
  }
  return { desk, allowances, states, cancels, clock }
}

type Custody = Result<{ type: 'custody'; isEnabled: boolean | null }, VenueFailure>

function testVenue(
  custody: Custody = ok({ type: 'custody', isEnabled: true }),
  active: readonly boolean[] = [false],
) {
  const asked: boolean[] = []
  const left = [...active]
  const venue = {
    account: async () =>
      ok({
        type: 'account',
        isActive: left.length > 1 ? (left.shift() ?? false) : (left[0] ?? false),
        walletAddress: MAKER,
      } as const),
    rfqInfo: async () =>
      ok({ type: 'solver', solverWallet: SOLVER, chainId: 8_453, exchange: null } as const),
    custody: async (isEnabled: boolean) => {
      asked.push(isEnabled)
      return custody
    },
  }
  return { venue, asked }
}

/** The signer's word on the solver, in memory. */
function pinnedTo(solver: Hex | null): CustodyClients['solvers'] {
  let pinned = solver
  const pin = (next: Hex) => {
    pinned = next
    return Promise.resolve(ok(null))
  }
  return { pinned: () => pinned, pin }
}

const quiet = () => custodySteps({ json: true })

function enable(parts: Partial<EnableParts>) {
  const leavePool = async () => ({ exitCode: 0, answer: 'left' })
  return enableCustody({
    clients: testDesk().desk,
    venue: testVenue().venue,
    leavePool,
    steps: quiet(),
    expectedSolver: null,
    confirmSolver: async () => expect.unreachable('a pinned solver is not asked about again'),
    ...parts,
  })
}

describe('the solver that orders will name', () => {
  const OTHER: Hex = `0x${'77'.repeat(20)}`

  async function enabled(
    pinned: Hex | null,
    answer: string | null,
    rfq: object = {},
    expectedSolver: string | null = null,
  ) {
    const asked: unknown[] = []
    const { desk } = testDesk()
    const solvers = pinnedTo(pinned)
    const { venue, asked: told } = testVenue()
    const steps = quiet()
    const end = await enable({
      clients: { ...desk, solvers, settings: { ...desk.settings, ...rfq } },
      venue,
      steps,
      expectedSolver,
      confirmSolver: async (...who) => {
        asked.push(who)
        return answer
      },
    })
    const { exitCode: code, answer: words } = end
    return { code, words, asked, pinned: solvers.pinned(), told, steps: steps.reported }
  }

  test.each([
    ['is not pinned yet', null, null, 'the venue'],
    ['is pinned already', SOLVER, null, 'the venue'],
    ['the configuration names', null, SOLVER, 'rfq.solver'],
    ['the configuration names and that is pinned', SOLVER, SOLVER, 'rfq.solver'],
  ])('that %s is refused if --solver contradicts it', async (_when, pinned, solver, source) => {
    const done = await enabled(pinned, null, { solver }, OTHER)
    expect(done).toMatchObject({ code: 3, asked: [], pinned, told: [] })
    expect(done.words).toContain(`--solver is ${OTHER}, but ${source} names ${SOLVER}`)
    const agreed = await enabled(pinned, null, { solver }, SOLVER.toUpperCase().replace('0X', '0x'))
    expect(agreed).toMatchObject({ code: 0, pinned: SOLVER })
  })

  test('is pinned the first time only after a person has confirmed it, and is shown', async () => {
    const done = await enabled(null, null)
    expect(done).toMatchObject({ code: 0, asked: [[SOLVER, null]], pinned: SOLVER, told: [true] })
    expect(done.steps.find(({ step }) => step === 'solver')).toMatchObject({
      isChange: true,
      text: expect.stringContaining(SOLVER),
    })
  })

  test('that no one confirms changes nothing: no allowance, no word to the venue', async () => {
    const done = await enabled(null, 'no one was there')
    expect(done).toMatchObject({ code: 3, pinned: null, told: [] })
    expect(done.steps.map(({ step }) => step)).toEqual(['venue'])
  })

  test('that is another one than the pinned one is confirmed again, with both shown', async () => {
    expect(await enabled(OTHER, 'no')).toMatchObject({ code: 3, asked: [[SOLVER, OTHER]], pinned: OTHER })
    expect(await enabled(OTHER, null)).toMatchObject({ code: 0, pinned: SOLVER })
  })

  test('that the configuration names was confirmed by who wrote it, the first time only', async () => {
    expect(await enabled(null, 'no', { solver: SOLVER })).toMatchObject({
      code: 0,
      asked: [],
      pinned: SOLVER,
    })
    expect(await enabled(OTHER, 'no', { solver: SOLVER })).toMatchObject({ code: 3, pinned: OTHER })
  })
})

describe('enabling self-custody', () => {
  test('enable approves exactly the configured amounts before it calls the venue', async () => {
    const { desk, allowances } = testDesk()
    const { venue, asked } = testVenue()
    const steps = quiet()
    expect((await enable({ clients: desk, venue, steps })).exitCode).toBe(0)
    expect(allowances).toEqual({ NTZS: 7n * 10n ** 18n, USDC: 5_000_000n })
    expect(asked).toEqual([true])
    expect(steps.reported.map(({ step, isChange }) => [step, isChange])).toEqual([
      ['venue', false],
      ['solver', false],
      ['wallet', false],
      ['pool', false],
      ['approve', true],
      ['approve', true],
      ['custody', true],
    ])
  })

  test('leaves the pool first, and goes no further while the venue still shows it as active', async () => {
    const { desk, allowances } = testDesk()
    const { venue, asked } = testVenue(undefined, [true])
    const end = await enable({ clients: desk, venue })
    expect([end.exitCode, end.answer]).toEqual([3, expect.stringContaining('pooled_capital_active')])
    expect([allowances.NTZS, asked]).toEqual([0n, []])
    const stuck = await enable({
      clients: desk,
      venue: testVenue(undefined, [true]).venue,
      leavePool: async () => ({ exitCode: 1, answer: 'NOT confirmed inactive' }),
    })
    expect(stuck).toEqual({ exitCode: 1, answer: 'NOT confirmed inactive' })
    const left = await enable({ clients: desk, venue: testVenue(undefined, [true, true, false]).venue })
    expect(left.exitCode).toBe(0)
  })

  test.each([
    ['capital is still pooled', failure({ code: 'pooled_capital_active' }), 3, 'it deactivates first'],
    ['no one knows', failure({ outcome: 'unknown', kind: 'timeout' }), 1, 'no clear outcome'],
    ['nothing reached it', failure({ kind: 'network' }), 4, 'run the command again'],
    ['it is off all the same', ok({ type: 'custody', isEnabled: false } as const), 3, 'custodyBody'],
  ])('where the venue reports that %s, the next step is reported', async (_what, custody, exitCode, says) => {
    const end = await enable({ venue: testVenue(custody).venue })
    expect([end.exitCode, end.answer]).toEqual([exitCode, expect.stringContaining(says)])
  })

  test('an approval without a clear outcome ends enable before it calls the venue, and a second run completes it', async () => {
    const unclear = { ...FAILURE, outcome: 'unknown', kind: 'timeout', route: 'chain approve' } as const
    const fails: Partial<Record<Asset, VenueFailure>> = { USDC: unclear }
    const { desk, allowances } = testDesk(fails)
    const { venue, asked } = testVenue()
    const end = await enable({ clients: desk, venue })
    expect([end.exitCode, end.answer]).toEqual([1, expect.stringContaining('5 USDC has no')])
    expect([allowances.NTZS, asked]).toEqual([7n * 10n ** 18n, []])
    delete fails.USDC
    const steps = quiet()
    expect((await enable({ clients: desk, venue, steps })).exitCode).toBe(0)
    expect(steps.reported.filter(({ step }) => step === 'approve').map(({ isChange }) => isChange)).toEqual([
      false,
      true,
    ])
  })
})

/** Asks of salts 1, 2, ... that expire a minute from now. */
function owed(count: number, change: { expiry?: bigint; makerToken?: Hex } = {}): OpenOrder[] {
  return Array.from({ length: count }, (_, index) => ({
    order: signableOrder({ salt: BigInt(index + 1), ...change }),
    side: 'ask',
    stable: 'USDC',
    makerAsset: 'NTZS',
    takerAsset: 'USDC',
    price: 2_500n * 10n ** 18n,
    reservedAt: NOW,
    phase: 'open',
    hash: null,
    status: null,
    makerFilled: 0n,
    takerFilled: 0n,
    endedAt: null,
    cancel: null,
  }))
}

function disable(
  { desk }: Pick<ReturnType<typeof testDesk>, 'desk'>,
  orders: readonly OpenOrder[],
  how: DisableHow = 'refuse',
  custody: Custody = ok({ type: 'custody', isEnabled: false }),
) {
  const { venue, asked } = testVenue(custody)
  const steps = quiet()
  return { asked, steps, end: disableCustody({ clients: desk, venue, openOrders: orders, how, steps }) }
}

describe('disabling self-custody', () => {
  test('is refused with a line for every order that can still be filled, and changes nothing', async () => {
    const chain = testDesk()
    chain.states.set(2n, 'FILLED')
    const { end, asked, steps } = disable(chain, owed(3))
    const { exitCode, answer } = await end
    expect([exitCode, answer.split('\n').length, asked, steps.reported]).toEqual([3, 3, [], []])
    expect(answer).toMatch(/^2 can still .*--cancel/)
    expect(answer).toMatch(/\n {2}1 ask USDC, expires in 1m 0s/)
    expect(answer).not.toMatch(/\n {2}2 ask/)
  })

  test('an order is over when the clock of the chain says so, and not before', async () => {
    const chain = testDesk()
    chain.clock.now = NOW + 59_999
    expect((await disable(chain, owed(1)).end).exitCode).toBe(3)
    chain.clock.now = NOW + 60_000
    expect((await disable(chain, owed(1)).end).exitCode).toBe(0)
  })

  test('several orders of a pair are cancelled in one transaction, whatever the policy says', async () => {
    const chain = testDesk()
    const { end, steps } = disable(chain, owed(4), 'cancel')
    expect((await end).exitCode).toBe(0)
    expect(chain.cancels).toEqual([expect.objectContaining({ kind: 'pair', minValidSalt: 5n })])
    expect(steps.reported.map(({ step }) => step)).toEqual([
      'cancel',
      'orders',
      'approve',
      'approve',
      'custody',
    ])
  })

  test('a cancellation or a reading that fails leaves allowances and custody as they are', async () => {
    for (const fails of [{ cancel: FAILURE }, { read: { ...FAILURE, kind: 'network' } as const }]) {
      const chain = testDesk(fails)
      chain.allowances.NTZS = 5n
      const { end, asked } = disable(chain, owed(2), 'cancel')
      expect((await end).exitCode).toBe('cancel' in fails ? 1 : 4)
      expect([chain.allowances.NTZS, asked]).toEqual([5n, []])
    }
  })

  test('a venue that says NOT_SELF_CUSTODY has nothing left to be told', async () => {
    const chain = testDesk()
    chain.allowances.USDC = 5n
    const { end, steps } = disable(chain, [], 'refuse', failure({ code: 'NOT_SELF_CUSTODY' }))
    expect((await end).exitCode).toBe(0)
    expect(chain.allowances).toEqual({ NTZS: 0n, USDC: 0n })
    expect(steps.reported.at(-1)).toMatchObject({ step: 'custody', isChange: false })
  })
})
