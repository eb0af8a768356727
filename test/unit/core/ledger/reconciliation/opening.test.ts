import { restartAfterSweep } from '../../../../../src/core/ledger/reconciliation/status.ts'
import { describe, expect, test } from 'vitest'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { walletAmounts } from '../../../../../src/core/ledger/book/book.ts'
import { A, asks, fillOf, B, openDesk, OPENING, runningDesk, venueAfter } from './harness.ts'

describe('the opening', () => {
  test('is what the venue says between two equal polls; older fills are known and not posted', () => {
    const desk = openDesk()
    expect(asks(desk.poll([A, B]).said)).toEqual(['balances'])
    expect(asks(desk.balances(OPENING))).toEqual(['fills'])
    const { said } = desk.poll([A, B])
    expect(said).toEqual([
      { do: 'open', amounts: OPENING, where: 'pool' },
      {
        do: 'setStatus',
        state: 'reconciled',
        why: 'the opening is the balance that the venue reported between two equal polls',
        unreconciled: {},
      },
    ])
    expect(desk.entries.map((entry) => entry.kind)).toEqual(['opening'])
    expect(desk.poll([A]).admission.fresh).toEqual([])
  })

  test('waits while fills come in between', () => {
    const desk = openDesk()
    desk.poll([])
    desk.balances(OPENING)
    const why = 'fills came while the opening was read'
    expect(desk.poll([A]).said).toEqual([{ do: 'poll', what: 'balances', why }])
    expect(desk.entries).toEqual([])
    desk.balances(venueAfter([A]))
    desk.poll([])
    expect(desk.entries.map((entry) => entry.kind)).toEqual(['opening'])
    expect(desk.book.accounts.pool).toMatchObject(venueAfter([A]))
  })

  test('a row that turns up later and is older than what was seen before the opening is not posted', () => {
    const desk = openDesk()
    desk.poll([fillOf('x', { createdAt: 900 })])
    desk.balances(OPENING)
    desk.poll([])
    const { admission } = desk.poll([fillOf('late', { createdAt: 800 }), fillOf('new', { createdAt: 901 })])
    expect(admission.tooOld.map((row) => row.id)).toEqual(['late'])
    expect(desk.entries.map((entry) => entry.fillId)).toEqual([null, 'new'])
  })

  test('a first poll that was answered after the balances were asked for does not count as before', () => {
    const desk = openDesk()
    const asked = desk.tick()
    desk.poll([])
    expect(asks(desk.balances(OPENING, { sentAt: asked }))).toEqual(['fills'])
    expect(desk.state.snapshot).toBeNull()
  })

  test('what a sweep before it brought into sight is in it: a later inflow is no deposit', () => {
    const desk = openDesk()
    restartAfterSweep(desk.state, desk.now(), false)
    desk.quietly(OPENING)
    desk.persistently(venueAfter([], 5n))
    expect(desk.state).toMatchObject({ state: 'break', unreconciled: { NTZS: 5n } })
  })

  test('is in the wallet while the position is inactive', () => {
    const desk = openDesk()
    desk.poll([])
    desk.balances(OPENING, { source: null, isActive: false })
    desk.poll([])
    expect(walletAmounts(desk.book)).toMatchObject(OPENING)
  })

  test('balances without a fills poll before them mean nothing', () => {
    const desk = openDesk()
    expect(asks(desk.balances(OPENING))).toEqual(['fills'])
    expect(desk.poll([]).said).not.toContainEqual(expect.objectContaining({ do: 'open' }))
  })

  test('an asset that the venue mentions only later is opened then, not called unexplained', () => {
    const desk = runningDesk()
    const said = desk.quietly({ ...OPENING, USDT: 5n })
    expect(said).toEqual([{ do: 'open', amounts: { USDT: 5n }, where: 'pool' }])
    expect(desk.quietly({ ...OPENING, USDT: 5n })).toEqual([])
    expect(pnl(desk.book)?.tzs.total).toBe(0n)
  })
})
