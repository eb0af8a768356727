import { describe, expect, test } from 'vitest'
import { startPositionHere } from '../e2e/daemon/position-here.ts'
import { until } from '../e2e/daemon/until.ts'
import {
  openTreasuryMarket,
  type TreasuryMarket,
  TREASURY_ENV,
} from '../e2e/treasury/open-treasury-market.ts'

const TOKEN = 10n ** 18n

function refillOf(market: TreasuryMarket) {
  return Object.values(market.state()?.intents ?? {}).find(({ rule }) => rule === 'refill')
}

describe('a position that runs dry', () => {
  test('refills itself from the bank: deposit, transfer, sweep; and its books are reconciled', async () => {
    await using market = await openTreasuryMarket()
    const daemon = await startPositionHere(market.config, TREASURY_ENV)
    await until('the refill has ended', () => refillOf(market)?.endedAt != null, {
      otherwise: () =>
        JSON.stringify([refillOf(market), daemon.notices, market.events().slice(-5)], bigintText),
    })
    const refill = refillOf(market)
    expect(refill).toMatchObject({ stage: 'settled', route: 'bank-deposit' })
    expect(refill?.legs.map(({ kind, stage }) => `${kind} ${stage}`)).toEqual([
      'deposit settled',
      'transfer settled',
      'lpActivation settled',
    ])
    const view = await until('the ledger is reconciled', async () => {
      const seen = await daemon.state()
      return seen.reconciliation.state === 'reconciled' ? seen : null
    })
    expect(view?.pnl).toBeDefined()
    const { ours } = market.venue.model.state
    // The venue sweeps what arrived in the wallet some time later, and the daemon sees it at its next look.
    await until('the shillings are in the pool', () => ours.pool.NTZS > 3_000_000n * TOKEN)
    const shown = await until('the metrics show the pool', async () => {
      const lines = (await daemon.metrics()).split('\n').filter((line) => line.startsWith('mizani_treasury_'))
      return lines.some((line) => /_on_hand\{place="pool",token="NTZS",.* [1-9]/.test(line)) && lines
    })
    expect(shown.filter((line) => !line.includes('position="'))).toEqual([])
    expect(shown.find((line) => line.startsWith('mizani_treasury_residual_tzs'))).toMatch(/ 0$/)
    expect(shown.find((line) => line.startsWith('mizani_treasury_claims_open'))).toMatch(/ 0$/)
    expect(await daemon.leave()).toContain('confirmed by')
  })
})

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
