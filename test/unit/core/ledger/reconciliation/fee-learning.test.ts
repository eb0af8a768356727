import { describe, expect, test } from 'vitest'
import type { Fill } from '../../../../../src/core/ledger/fills/fill.ts'
import { identityResidual } from '../../../../../src/core/ledger/book/pnl.ts'
import { A, asks, B, fillOf, NTZS, runningDesk, states, USD, venueAfter } from './harness.ts'

describe('learning the protocol fee', () => {
  test('balances that never lose the fee switch the model and give back what was posted', () => {
    const desk = runningDesk()
    const free = (fills: readonly Fill[]) => venueAfter(fills.map((fill) => ({ ...fill, fee: 0n })))
    desk.poll([A])
    desk.balances(free([A, B]))
    const { said } = desk.poll([B])
    const why = 'the balances show that the protocol fee is not charged to the position'
    expect(said).toMatchObject([
      { do: 'setFeeModel', model: 'none', why },
      { do: 'correctFee', asset: 'NTZS', amount: -75n * NTZS, where: 'pool' },
    ])
    expect(desk.book.accounts.fees.NTZS).toBe(0n)
    expect(desk.quietly(free([A, B]))).toEqual([])
    desk.poll([fillOf('c')])
    expect(desk.quietly(free([A, B, fillOf('c')]))).toEqual([])
    expect(identityResidual(desk.book)).toEqual({ tzs: 0n, usd: 0n })
  })

  test('balances that do lose the fee switch the model back and take it', () => {
    const desk = runningDesk('none')
    desk.poll([A])
    const why = 'the balances show that the protocol fee is charged to the position'
    expect(desk.quietly(venueAfter([A]))).toMatchObject([
      { do: 'setFeeModel', model: 'from-position', why },
      { do: 'correctFee', asset: 'NTZS', amount: 25n * NTZS },
    ])
    expect(desk.book.accounts.pool).toMatchObject(venueAfter([A]))
  })

  test('a fee that explains an older reading alone leaves a break open until a reading after the correction proves the books', () => {
    const desk = runningDesk()
    const fee = (49n * NTZS * 100n + 85n * NTZS) / 100n
    const dearer = venueAfter([{ ...A, fee }])
    const stolen = venueAfter([{ ...A, fee }], 0n, -5n * USD)
    desk.poll([A])
    desk.quietly(dearer)
    desk.persistently(stolen)
    expect(desk.state.state).toBe('break')
    desk.feeRates[0] = 20
    const { said } = desk.poll([])
    expect(said).toContainEqual(
      expect.objectContaining({ do: 'correctFee', asset: 'NTZS', amount: fee - 25n * NTZS }),
    )
    expect(asks(said)).toContain('balances')
    expect(desk.state).toMatchObject({ state: 'break', pending: [] })
    expect(desk.book.accounts.pool).toMatchObject(dearer)
    expect(states(desk.quietly(dearer))).toMatchObject([{ state: 'reconciled' }])
  })

  test('only what came since the last match decides: one odd fill is no new model', () => {
    const desk = runningDesk()
    desk.poll([A])
    desk.quietly(venueAfter([A]))
    desk.poll([B, fillOf('c')])
    desk.quietly(venueAfter([A, B, fillOf('c', { fee: 0n })]))
    expect(desk.state).toMatchObject({ state: 'pending', fees: { model: 'from-position' } })
  })

  test('a computed fee that is one unit off is corrected to the last unit', () => {
    const desk = runningDesk()
    const computed = { ...A, fee: null }
    desk.poll([computed])
    const reason = 'the venue rounds the protocol fee in the other direction'
    expect(desk.quietly(venueAfter([computed], -1n))).toEqual([
      { do: 'correctFee', asset: 'NTZS', amount: 1n, where: 'pool', reason },
    ])
    expect(desk.book.accounts.pool).toMatchObject(venueAfter([computed], -1n))
    expect(desk.state.state).toBe('reconciled')
  })

  test('two units off on one computed fee, or one unit off on a fee the row carries, is no rounding', () => {
    for (const [fill, off] of [
      [{ ...A, fee: null }, -2n],
      [A, -1n],
    ] as const) {
      const desk = runningDesk()
      desk.poll([fill])
      desk.quietly(venueAfter([fill], off))
      expect(desk.state.state).toBe('pending')
    }
  })

  test('a fill that is not in the balances lends them no tolerance', () => {
    const desk = runningDesk()
    desk.poll([])
    desk.balances(venueAfter([A], -1n))
    desk.poll([A, fillOf('c', { fee: null })])
    expect(desk.state.state).toBe('pending')
  })

  test('roundings are used up by a match: they do not gather into a licence', () => {
    const desk = runningDesk()
    const computed = { ...A, fee: null }
    desk.poll([computed])
    desk.quietly(venueAfter([computed], -1n))
    desk.quietly(venueAfter([computed], -2n))
    expect(desk.state.state).toBe('pending')
  })
})
