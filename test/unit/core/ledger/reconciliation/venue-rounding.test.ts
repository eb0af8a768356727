import { describe, expect, test } from 'vitest'
import { walletAmounts } from '../../../../../src/core/ledger/book/book.ts'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { postSweep } from '../../../../../src/core/ledger/book/post-transfer.ts'
import { restartAfterSweep } from '../../../../../src/core/ledger/reconciliation/status.ts'
import { TOKEN_UNIT } from '../../../../../src/base/money/asset.ts'
import { NTZS, openDesk, USD } from './harness.ts'

/** 18 decimals of USDC in the pool, of which a deactivation pays 6. */
const HELD = 400n * USD + 168_230_832_770n
const REST = HELD % TOKEN_UNIT.USDC
const OPENING = { NTZS: 1_000_000n * NTZS + 1n, USDC: HELD }

function deactivated() {
  const desk = openDesk()
  desk.quietly(OPENING)
  postSweep(desk.book, desk.tick(), 'pool', ['NTZS', 'USDC'], 'deactivation')
  restartAfterSweep(desk.state, desk.now(), false)
  const wallet = (usdc: bigint) => {
    desk.poll([])
    desk.balances({ ...OPENING, USDC: usdc }, { source: 'wallet', isActive: false })
    desk.poll([])
  }
  return { ...desk, wallet }
}

describe('the rest that a deactivation does not pay', () => {
  test('of less than one unit of the token is booked once, as a cost, and the books are reconciled', () => {
    const desk = deactivated()
    desk.wallet(HELD - REST)
    desk.wallet(HELD - REST)
    expect(desk.state.state).toBe('reconciled')
    expect(desk.entries.at(-1)).toMatchObject({
      kind: 'venue-rounding',
      postings: [
        { account: 'wallet', asset: 'USDC', amount: -REST },
        { account: 'adjustments', asset: 'USDC', amount: REST },
      ],
    })
    expect(walletAmounts(desk.book).USDC % TOKEN_UNIT.USDC).toBe(0n)
    expect(pnl(desk.book)?.usd).toMatchObject({ costs: -REST * 10n ** 36n })
  })

  test('is a break where it is a whole unit, or comes a second time', () => {
    const unit = deactivated()
    for (let i = 0; i < 4; i++) unit.wallet(HELD - TOKEN_UNIT.USDC)
    expect([unit.state.state, unit.state.unreconciled]).toEqual(['break', { USDC: 0n - TOKEN_UNIT.USDC }])
    const twice = deactivated()
    for (let i = 0; i < 2; i++) twice.wallet(HELD - REST)
    for (let i = 0; i < 4; i++) twice.wallet(HELD - REST - 1n)
    expect([twice.state.state, twice.state.unreconciled]).toEqual(['break', { USDC: -1n }])
  })

  test('shows in the pool where an activation followed before any balances were read, once', () => {
    const desk = openDesk()
    desk.quietly(OPENING)
    postSweep(desk.book, desk.tick(), 'pool', ['NTZS', 'USDC'], 'deactivation')
    restartAfterSweep(desk.state, desk.now(), false, true)
    postSweep(desk.book, desk.tick(), 'wallet', ['NTZS', 'USDC'], 'activation')
    restartAfterSweep(desk.state, desk.now(), false)
    desk.persistently({ ...OPENING, USDC: HELD - REST })
    expect([desk.state.state, desk.entries.at(-1)?.kind]).toEqual(['reconciled', 'venue-rounding'])
    // An activation alone pays nothing out.
    restartAfterSweep(desk.state, desk.now(), false)
    desk.persistently({ ...OPENING, USDC: HELD - REST - 1n })
    expect(desk.state.state).toBe('break')
  })

  test('of a position in the pool is a break: nothing was paid out', () => {
    const desk = openDesk()
    desk.quietly(OPENING)
    desk.persistently({ ...OPENING, USDC: HELD - 1n })
    expect(desk.state.state).toBe('break')
  })
})
