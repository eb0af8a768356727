import { describe, expect, test } from 'vitest'
import type { Fill } from '../../../../../src/core/ledger/fills/fill.ts'
import { type Asset, toTokens, type TokenAmount } from '../../../../../src/base/money/asset.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'

const { quote } = coreConfig()
const ONE = 10n ** 18n

type Call = { readonly desk: Harness; readonly request: number }

/** The deactivation is on its way, and the venue does not answer it. */
function inCall(): Call {
  const desk = runCore(60_000, { config: { quote: { ...quote, drainMs: 0 } } })
  let request = 0
  desk.venue.answers.activate = ({ id }) => {
    request = id
    return 'silence'
  }
  desk.order({ name: 'deactivate', insists: true })
  desk.run(1_000)
  expect(request).toBeGreaterThan(0)
  return { desk, request }
}

/** A row of the venue that buys dollars of ours; `isPaid`: the position has it. */
function row({ desk: { venue } }: Call, dollars: bigint, isPaid: boolean): Fill {
  const [amountIn, amountOut] = [2_510n * dollars * ONE, dollars * ONE]
  const legs = { side: 'bid', inAsset: 'NTZS', amountIn, outAsset: 'USDC', amountOut } as const
  const id = `row-${venue.fills.length}`
  const fill: Fill = { ...legs, id, fee: 0n, earnedText: null, txHash: null, createdAt: null, raw: '{}' }
  venue.fills.push(fill)
  if (isPaid) {
    venue.amounts.NTZS += amountIn
    venue.amounts.USDC -= amountOut
  }
  return fill
}

/** The venue has returned everything. */
function answer({ desk, request }: Call, amounts: Partial<Record<Asset, TokenAmount>> = {}): void {
  delete desk.venue.answers.activate
  desk.venue.isActive = false
  const returned = ['NTZS', 'USDC'] as const
  desk.give({ type: 'activation', t: desk.now, request, isActive: false, partial: false, returned, amounts })
}

const alerts = ({ observations }: Harness, code: string) =>
  observations.flatMap((one) => (one.type === 'alert' && one.code === code ? [one.message] : []))

describe('fills that come while the venue deactivates', () => {
  test('and are not paid out are named at once, and booked back by the wallet without an alarm', () => {
    const call = inCall()
    const { desk } = call
    const [first, second] = [row(call, 40n, true), row(call, 70n, false)]
    desk.run(5_000)
    const [named = ''] = alerts(desk, 'void-fills')
    expect(named).toContain(`${first.id} (100400 NTZS, -40 USDC)`)
    expect(named).toContain(second.id)
    answer(call)
    desk.run(60_000)
    const { state, ledger } = { state: desk.state(), ledger: desk.state().book.accounts.wallet }
    expect([state.reconciliation.state, state.latch.halted]).toEqual(['reconciled', null])
    expect([ledger.NTZS, ledger.USDC]).toEqual([desk.venue.amounts.NTZS, desk.venue.amounts.USDC])
    expect(alerts(desk, 'foreign-hand')).toEqual([])
    expect(alerts(desk, 'void-fills').at(-1)).toContain(`: ${second.id} (175700 NTZS, -70 USDC)`)
    expect(state.reconciliation.deactivation).toBeNull()
  })

  test('may be void in any selection, and in a unit less of what is paid in whole units', () => {
    const call = inCall()
    const { desk } = call
    for (const isPaid of [false, true, false])
      row(call, isPaid ? 30n : 50n + BigInt(desk.venue.fills.length), isPaid)
    desk.run(5_000)
    desk.venue.amounts.USDC -= 123n
    answer(call)
    desk.run(120_000)
    expect(desk.state().reconciliation.state).toBe('reconciled')
    expect(desk.state().book.accounts.wallet.USDC).toBe(desk.venue.amounts.USDC)
    expect(alerts(desk, 'void-fills').at(-1)).toContain('row-0, row-2')
  })

  test('explain no theft: what no selection of them is to the unit is a break', () => {
    const call = inCall()
    const { desk } = call
    row(call, 40n, false)
    desk.run(5_000)
    desk.venue.amounts.NTZS -= 5_000n * ONE
    answer(call)
    desk.run(300_000)
    expect(desk.state().reconciliation.state).toBe('break')
    expect(alerts(desk, 'void-fills')).toHaveLength(1)
  })

  test('are found where the process died in the middle of the call', () => {
    const call = inCall()
    const { desk } = call
    row(call, 40n, false)
    desk.run(5_000)
    desk.restart()
    delete desk.venue.answers.activate
    desk.venue.isActive = false
    desk.run(120_000)
    expect(desk.state().reconciliation.state).toBe('reconciled')
    expect(desk.state().book.accounts.wallet.NTZS).toBe(desk.venue.amounts.NTZS)
    expect(desk.state().latch.halted).toBeNull()
  })

  test('are found by the list of what came back where the wallet does not state the token', () => {
    const call = inCall()
    const { desk } = call
    row(call, 40n, false)
    desk.run(5_000)
    answer(call, { USDC: toTokens(desk.venue.amounts.USDC, 'USDC') })
    const { NTZS } = desk.venue.amounts
    desk.venue.answers.readBalances = () => ({
      type: 'balances',
      sentAt: desk.now,
      amounts: { NTZS },
      source: 'wallet',
    })
    desk.run(60_000)
    expect(desk.state().reconciliation.state).toBe('reconciled')
    expect(desk.state().book.accounts.wallet.USDC).toBe(desk.venue.amounts.USDC)
  })
})

test('a swept token that no balances have stated is in the ledger before the next balances', () => {
  const desk = coreHarness()
  const stated = () => {
    const { NTZS, USDC } = desk.venue.amounts
    return { type: 'balances', sentAt: desk.now, amounts: { NTZS, USDC }, source: null } as const
  }
  desk.venue.answers.readBalances = stated
  desk.venue.answers.activate = () => {
    desk.venue.isActive = true
    desk.venue.answers.readBalances = () => 'silence'
    const amounts = { USDT: 4_000_000_000n as TokenAmount }
    return { type: 'activation', isActive: true, partial: false, returned: [], amounts }
  }
  desk.run(10_000)
  expect(desk.state().book.accounts.pool.USDT).toBe(4_000n * ONE)
  desk.venue.amounts.USDT = 4_000n * ONE
  delete desk.venue.answers.readBalances
  desk.run(60_000)
  expect(desk.state().book.accounts.pool.USDT).toBe(4_000n * ONE)
  expect(desk.state().reconciliation.state).toBe('reconciled')
})
