import { beforeAll, describe, expect, test } from 'vitest'
import { checkDocument } from '../../../../../src/research/close/verify/check-document.ts'
import { checkChain } from '../../../../../src/research/close/verify/check-chain.ts'
import { identityResidual, type Pnl, pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { formatDecimalText } from '../../../../../src/base/money/decimal-text.ts'
import { formatAmount } from '../../../../../src/base/money/asset.ts'
import { renderDay } from '../../../../../src/research/close/folder/write-day.ts'
import { sha256 } from '../../../../../src/research/close/folder/names.ts'
import { bodyOf, digestOfEvents, keptFolder, recordDays, type Recorded, storeOf } from '../close-fixture.ts'

const totalsOf = ({ tzs, usd }: Pnl) => ({ tzs: tzs.total, usd: usd.total })
const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22']

describe('the close of a day from a store', () => {
  let recorded: Recorded
  let store: string
  beforeAll(async () => {
    recorded = recordDays()
    store = await storeOf(recorded, keptFolder())
  })

  test('states the balances and the PnL that the core had when the day ended, to the last digit', () => {
    let before = { tzs: 0n, usd: 0n, spreadCapture: 0n, staleMid: 0n, inventory: 0n, edge: 0n }
    for (const day of DAYS) {
      const body = bodyOf(store, day)
      const state = recorded.ends.get(day)
      const core = state === undefined ? null : pnl(state.book)
      if (state === undefined || core === null || body.pnl === null) throw new Error(`no PnL of ${day}`)
      const { pool, wallet } = state.book.accounts
      expect(body.accounts.closing.pool.NTZS).toBe(formatAmount(pool.NTZS))
      expect(body.accounts.closing.pool.USDC).toBe(formatAmount(pool.USDC))
      expect(body.accounts.closing.wallet.USDC).toBe(formatAmount(wallet.USDC))
      expect([body.pnl.tzs.residual, body.pnl.usd.residual]).toEqual(['0', '0'])
      expect(identityResidual(state.book)).toEqual({ tzs: 0n, usd: 0n })
      // The daemon counts from its opening, the close from the day's first moment.
      const inDay = (now: bigint, then: bigint, decimals: number) => formatDecimalText(now - then, decimals)
      expect(body.pnl.tzs).toMatchObject({
        total: inDay(core.tzs.total, before.tzs, 36),
        spreadCapture: inDay(core.tzs.spreadCapture, before.spreadCapture, 36),
        staleMid: inDay(core.tzs.staleMid, before.staleMid, 36),
        inventory: inDay(core.tzs.inventory, before.inventory, 36),
        closing: formatDecimalText(core.tzs.value, 36),
      })
      expect(body.pnl.usd).toMatchObject({
        total: inDay(core.usd.total, before.usd, 54),
        edge: inDay(core.usd.edge, before.edge, 54),
        closing: formatDecimalText(core.usd.value, 54),
      })
      const { spreadCapture, staleMid, inventory } = core.tzs
      before = { spreadCapture, staleMid, inventory, edge: core.usd.edge, ...totalsOf(core) }
    }
  })

  test('has each fill and each entry in exactly one day, and the digest of the events of that day', () => {
    const bodies = DAYS.map((day) => bodyOf(store, day))
    expect(bodies.map(({ fills }) => fills.map(({ id }) => id))).toEqual([['first', 'second'], [], ['third']])
    expect(bodies.map(({ fills }) => fills.map(({ raw }) => raw))[0]?.[0]).toContain('formula')
    for (const [index, { journal }] of bodies.entries()) {
      expect(journal.first).toBe((bodies[index - 1]?.journal.last ?? 0) + 1)
      expect(journal.sha256).toBe(digestOfEvents(store, journal.first, journal.last))
    }
    expect(bodies[1]?.operators.actions.map(({ command }) => command)).toEqual(['pause', 'resume'])
  })

  test('adds up by itself and continues the close of the day before', () => {
    const [first = '', second = ''] = DAYS
    const { document, bytes } = renderDay(bodyOf(store, first))
    const kept = { document, sha256: sha256(bytes) }
    const next = bodyOf(store, second, kept)
    expect(checkDocument(document)).toEqual([])
    expect(checkChain(kept, next)).toEqual([])
    expect(checkChain({ ...kept, sha256: '0'.repeat(64) }, next)).toEqual([
      'the close of 2026-11-20 is not the one that it follows',
    ])
  })
})
