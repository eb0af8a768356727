import { describe, expect, it } from 'vitest'
import { coreHarness, type Harness } from '../../../support/core-harness.ts'
import { identityResidual } from '../../../../src/core/ledger/book/pnl.ts'
import {
  dollarsForShillings,
  shillingsForDollars,
  splitProtocolFee,
} from '../../../../src/base/money/payout.ts'
import { TOKEN_UNIT, zeroAmounts, type Amounts } from '../../../../src/base/money/asset.ts'
import type { Fill } from '../../../../src/core/ledger/fills/fill.ts'
import { NTZS, USD } from '../../../support/taker.ts'

type Chain = 'USDT' | 'USDT.bnb'

/** With these amounts the venue mentions only what it holds. */
function desk(held?: Partial<Amounts>): Harness {
  const amounts = {
    ...zeroAmounts(),
    NTZS: 125_000_000n * NTZS,
    USDC: 50_000n * USD,
    USDT: 5_000n * USD,
    'USDT.bnb': 5_000n * USD,
    ...held,
  }
  const one = coreHarness({ venue: { amounts } })
  if (held !== undefined) {
    one.venue.answers.readBalances = () => {
      const mentioned = Object.entries(one.venue.amounts).filter(([, amount]) => amount > 0n)
      return { type: 'balances', sentAt: one.now, amounts: Object.fromEntries(mentioned), source: null }
    }
  }
  one.run(80_000)
  return one
}

/** A taker brings USDT on this chain; the row does not say which, and names no fee. */
function bring(one: Harness, chain: Chain, dollars: bigint, listed = true, more = 0n): Fill {
  const { venue } = one
  const amountIn = dollars * USD + more
  const gross = shillingsForDollars(amountIn, venue.mid, venue.held.askBps, 'down')
  venue.amounts[chain] += amountIn
  venue.amounts.NTZS -= gross
  const { net } = splitProtocolFee(gross, 10)
  return list(one, { side: 'ask', inAsset: 'USDT', amountIn, outAsset: 'NTZS', amountOut: net }, listed)
}

/** A taker takes USDT on bnb whose payout happens to have no more than 6 decimals. */
function take(one: Harness): Fill {
  const { venue } = one
  // 950 dollars before the fee at the mid and spread that stand, so that the payout is a whole number of cents.
  const factor = 10_000n + BigInt(venue.held.bidBps)
  const amountIn = (1_000n * venue.mid * factor) / 10_000n
  const gross = dollarsForShillings(amountIn, venue.mid, venue.held.bidBps, 'divide', 1n, 'down')
  const { net } = splitProtocolFee(gross, 10)
  venue.amounts.NTZS += amountIn
  venue.amounts['USDT.bnb'] -= gross
  expect(net % TOKEN_UNIT.USDT).toBe(0n)
  return list(one, { side: 'bid', inAsset: 'NTZS', amountIn, outAsset: 'USDT', amountOut: net }, true)
}

function list(
  { venue }: Harness,
  legs: Pick<Fill, 'side' | 'inAsset' | 'amountIn' | 'outAsset' | 'amountOut'>,
  listed: boolean,
): Fill {
  const id = `bare-${venue.fills.length + 1}-${legs.amountIn}`
  const rest = {
    fee: null,
    earnedText: null,
    txHash: null,
    createdAt: null,
    chainNamed: false,
    raw: '{}',
  } as const
  const fill: Fill = { ...legs, id, ...rest }
  if (listed) venue.fills.push(fill)
  return fill
}

const alerts = (one: Harness) =>
  one.observations.flatMap((seen) =>
    seen.type === 'alert' && seen.code === 'chain-decided' ? [seen.message] : [],
  )
const states = (one: Harness) =>
  one.observations.flatMap((seen) => (seen.type === 'reconciliationChanged' ? [seen.state] : []))
const gaps = (one: Harness) => states(one).filter((state) => state === 'break')

function isRight(one: Harness): void {
  expect(gaps(one)).toEqual([])
  expect(one.state().latch.halted).toBeNull()
  expect(one.state().reconciliation.state).toBe('reconciled')
  expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
  expect(identityResidual(one.state().book)).toEqual({ tzs: 0n, usd: 0n })
}

describe('a fill of USDT whose row names no chain', () => {
  it('on bnb is put right by the first reading, without a break, and told with both amounts', () => {
    const one = desk()
    const before = states(one).length
    bring(one, 'USDT.bnb', 100n)
    one.run(40_000)
    isRight(one)
    expect(states(one).slice(before)).toEqual([])
    expect(alerts(one)).toEqual([expect.stringMatching(/100 USDT\.bnb .* 100 USDT /)])
  })

  it('on base stays where it is', () => {
    const one = desk()
    bring(one, 'USDT', 100n)
    one.run(40_000)
    isRight(one)
    expect(alerts(one)).toEqual([])
  })

  it('that pays out on bnb is put right with its fee', () => {
    const one = desk()
    take(one)
    one.run(40_000)
    isRight(one)
    expect(alerts(one)).toEqual([expect.stringMatching(/USDT\.bnb out, but/)])
  })

  it.each(['USDT', 'USDT.bnb'] as const)(
    'with 18 decimals is booked on %s where the balances show it there',
    (chain) => {
      const one = desk()
      bring(one, chain, 100n, true, 1n)
      one.run(40_000)
      isRight(one)
      expect(alerts(one)).toHaveLength(chain === 'USDT' ? 0 : 1)
    },
  )

  it('follows the last decision as a first guess, and is corrected back', () => {
    const one = desk()
    bring(one, 'USDT.bnb', 100n)
    one.run(40_000)
    bring(one, 'USDT.bnb', 70n)
    one.run(40_000)
    isRight(one)
    expect(alerts(one)).toHaveLength(1)
    bring(one, 'USDT', 60n)
    one.run(40_000)
    isRight(one)
    expect(alerts(one)).toHaveLength(2)
    expect(one.state().reconciliation.bareChain).toBe('USDT')
  })

  it('in a mix of both chains under flow is put right each time', () => {
    const one = desk()
    for (let n = 0; n < 30; n += 1) {
      bring(one, n % 3 === 0 ? 'USDT.bnb' : 'USDT', 20n + BigInt(n))
      one.run(11_000)
    }
    one.run(40_000)
    isRight(one)
    expect(alerts(one).length).toBeGreaterThan(5)
  })

  it('is put right when its row comes after the balances that have it', () => {
    const one = desk()
    const late = bring(one, 'USDT.bnb', 100n, false)
    one.run(18_000)
    expect(one.state().reconciliation.state).toBe('pending')
    one.venue.fills.push(late)
    one.run(40_000)
    isRight(one)
    expect(alerts(one)).toHaveLength(1)
  })

  it('is put right after a restart between row and balances', () => {
    const one = desk()
    one.venue.answers.readBalances = () => 'silence'
    bring(one, 'USDT.bnb', 100n)
    one.run(6_000)
    expect(one.state().reconciliation.fees.undecided).toHaveLength(1)
    delete one.venue.answers.readBalances
    one.restart()
    one.run(60_000)
    isRight(one)
    expect(alerts(one)).toHaveLength(1)
  })

  it.each([
    ['from base', 'USDT'],
    ['from bnb', 'USDT.bnb'],
  ] as const)('excuses no theft of the same size %s', (_, chain) => {
    const one = desk()
    bring(one, 'USDT', 100n)
    one.venue.amounts[chain] -= 100n * USD
    one.run(120_000)
    expect(alerts(one)).toEqual([])
    expect(one.state().latch.halted).not.toBeNull()
  })

  it('excuses nothing that is one unit off', () => {
    const one = desk()
    bring(one, 'USDT.bnb', 100n)
    one.venue.amounts['USDT.bnb'] -= 1n
    one.run(120_000)
    expect(alerts(one)).toEqual([])
    expect(gaps(one)).not.toEqual([])
  })

  it('on bnb, where the venue lists only what it holds and held nothing there, is no opening', () => {
    const one = desk({ USDT: 0n, 'USDT.bnb': 0n })
    bring(one, 'USDT.bnb', 100n)
    one.run(40_000)
    isRight(one)
    expect(alerts(one)).toHaveLength(1)
    expect(one.state().book.accounts.opening['USDT.bnb']).toBe(0n)
  })

  it('that was proven on base excuses no later loss on base against a gain on bnb', () => {
    const one = desk()
    bring(one, 'USDT', 100n)
    one.run(40_000)
    isRight(one)
    one.venue.amounts.USDT -= 100n * USD
    one.venue.amounts['USDT.bnb'] += 100n * USD
    one.run(120_000)
    expect(alerts(one)).toEqual([])
    expect(gaps(one)).not.toEqual([])
  })
})
