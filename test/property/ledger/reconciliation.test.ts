import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeDebit } from '../../../src/core/ledger/fills/fees.ts'
import type { Fill } from '../../../src/core/ledger/fills/fill.ts'
import { identityResidual } from '../../../src/core/ledger/book/pnl.ts'
import { zeroAmounts, type Amounts } from '../../../src/base/money/asset.ts'
import { fillOf, NTZS, openDesk, USD } from '../../unit/core/ledger/reconciliation/harness.ts'

type Act = 'trade' | 'poll' | 'balances' | 'serve' | 'deliver'
const acts = fc.array(
  fc.constantFrom<Act>('trade', 'poll', 'balances', 'serve', 'serve', 'deliver', 'deliver'),
  { maxLength: 200, size: 'max' },
)

type Plan = {
  feeTaken: boolean
  rowsCarryFee: boolean
  shuffle: boolean
  /** Index of a fill that the venue does not list. */
  hidden: number | null
  /** A row is listed only so many acts after its fill moved the balances. */
  lag: number
}
const plan: fc.Arbitrary<Plan> = fc.record({
  feeTaken: fc.boolean(),
  rowsCarryFee: fc.boolean(),
  shuffle: fc.boolean(),
  hidden: fc.constant(null),
  lag: fc.constant(0),
})

/** A venue whose answers are served some time after they were asked for and delivered some time later. */
function world({ feeTaken, rowsCarryFee, shuffle, hidden, lag }: Plan) {
  const desk = openDesk('from-position')
  const held: Amounts = { ...zeroAmounts(), NTZS: 5_000_000n * NTZS, USDC: 5_000n * USD }
  const executed: Fill[] = []
  const executedAt: number[] = []
  let poll: { sentAt: number; rows: Fill[] | null } | null = null
  let balances: { sentAt: number; amounts: Partial<Amounts> | null } | null = null
  let everGap = false
  let hideFrom = hidden

  const rows = () => {
    const shown = executed
      .filter((_, n) => n !== hideFrom && (executedAt[n] ?? 0) + lag <= desk.now())
      .slice(-100)
    return shuffle ? [...shown.slice(-3), ...shown.toReversed(), ...shown.slice(0, 2)] : shown
  }
  const trade = (index: number) => {
    const n = BigInt(index)
    const id = `f${n}`
    // Rows in any order can be put into that of their execution only where the venue dates them.
    const createdAt = shuffle ? desk.now() : null
    if (n % 3n === 0n) {
      const amounts = { amountIn: (9_000n + n) * NTZS, amountOut: 3n * USD, fee: 3n * 10n ** 15n }
      return fillOf(id, { side: 'bid', inAsset: 'NTZS', outAsset: 'USDC', ...amounts, createdAt })
    }
    const fee = rowsCarryFee ? (25n + n) * NTZS : null
    return fillOf(id, { amountIn: (4n + n) * USD, amountOut: (9_900n + n) * NTZS, fee, createdAt })
  }
  const act = (what: Act) => {
    desk.tick()
    if (what === 'trade') {
      const fill = trade(executed.length)
      // A fee that is not on the row may be rounded either way by the venue.
      const fee = fill.fee ?? 25n * NTZS + (BigInt(executed.length) % 3n) - 1n
      held[fill.inAsset] += fill.amountIn
      held[fill.outAsset] -= fill.amountOut + feeDebit(feeTaken ? 'from-position' : 'none', fee)
      executed.push(fill)
      executedAt.push(desk.now())
    } else if (what === 'poll') poll ??= { sentAt: desk.now(), rows: null }
    else if (what === 'balances') balances ??= { sentAt: desk.now(), amounts: null }
    else if (what === 'serve') {
      if (poll !== null) poll.rows ??= rows()
      if (balances !== null) balances.amounts ??= { NTZS: held.NTZS, USDC: held.USDC }
    } else {
      if (poll?.rows) {
        desk.poll(poll.rows, { sentAt: poll.sentAt, windowFull: poll.rows.length >= 100 })
        poll = null
      } else if (balances?.amounts) {
        desk.balances(balances.amounts, { sentAt: balances.sentAt })
        balances = null
      }
    }
    if (desk.state.state === 'break') everGap = true
  }
  const settle = (rounds: number) => {
    const round: Act[] = [
      'serve',
      'deliver',
      'deliver',
      'poll',
      'serve',
      'deliver',
      'balances',
      'serve',
      'deliver',
    ]
    for (let n = 0; n < rounds; n++) for (const what of round) act(what)
  }
  return {
    desk,
    held,
    executed,
    act,
    settle,
    everGap: () => everGap,
    reveal: () => {
      hideFrom = null
    },
  }
}

test('at an honest venue no race, order or repetition of answers is ever a gap, and all is proven at last', () => {
  fc.assert(
    fc.property(acts, plan, (sequence, honest) => {
      const { desk, act, settle, everGap, held } = world(honest)
      for (const what of sequence) act(what)
      settle(4)
      expect(everGap()).toBe(false)
      expect(desk.state.state).toBe('reconciled')
      expect(desk.book.accounts.pool).toMatchObject({ NTZS: held.NTZS, USDC: held.USDC })
      expect(identityResidual(desk.book)).toEqual({ tzs: 0n, usd: 0n })
      const posted = desk.entries.flatMap((entry) => (entry.fillId === null ? [] : [entry.fillId]))
      expect(new Set(posted).size).toBe(posted.length)
    }),
    { numRuns: 120 },
  )
})

test('a fill that the venue hides is always found out, and forgiven when it turns up', () => {
  fc.assert(
    fc.property(acts, plan, fc.nat({ max: 4 }), (sequence, base, nth) => {
      const taken = { ...base, feeTaken: true, rowsCarryFee: true }
      const { desk, act, settle, held, executed, reveal } = world({ ...taken, hidden: nth })
      settle(2)
      for (let n = 0; n <= nth; n++) act('trade')
      for (const what of sequence) act(what)
      settle(5)
      expect(desk.state.state).toBe('break')
      const hidden = executed[nth]
      expect(hidden).toBeDefined()
      if (hidden === undefined) return
      expect(desk.state.unreconciled[hidden.inAsset]).toBe(hidden.amountIn)
      reveal()
      settle(3)
      expect(desk.state.state).toBe('reconciled')
      expect(desk.book.accounts.pool).toMatchObject({ NTZS: held.NTZS, USDC: held.USDC })
    }),
    { numRuns: 80 },
  )
})

test('rows that are listed late may alarm for a while, but everything is proven once they are there', () => {
  fc.assert(
    fc.property(acts, plan, fc.integer({ min: 1, max: 60 }), (sequence, base, lag) => {
      const { desk, act, settle, held } = world({ ...base, lag })
      settle(2)
      for (const what of sequence) act(what)
      settle(12)
      expect(desk.state.state).toBe('reconciled')
      expect(desk.book.accounts.pool).toMatchObject({ NTZS: held.NTZS, USDC: held.USDC })
      expect(desk.entries.filter((entry) => entry.kind === 'adjustment')).toEqual([])
    }),
    { numRuns: 80 },
  )
})
