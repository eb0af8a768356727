import { describe, expect, it } from 'vitest'
import { formatAmount } from '../../../../src/base/money/asset.ts'
import { buildView } from '../../../../src/daemon/view/position-view.ts'
import { runCore } from '../../../support/core-harness.ts'

describe('the core, from the start to a standing quote', () => {
  it('reads the venue, sets the spread, confirms it and only then activates', () => {
    const desk = runCore(10_000)
    const writes = desk.effects.filter(({ type }) => type === 'setQuote' || type === 'activate')
    expect(writes.map(({ type }) => type)).toEqual(['setQuote', 'activate'])
    expect(desk.venue.held).toMatchObject({ bidBps: 60, askBps: 60, quoteBid: true, quoteAsk: true })
    expect(desk.venue.isActive).toBe(true)
    const view = buildView(desk.state(), desk.now, { seq: 1, digest: '' })
    expect(view).toMatchObject({
      tradingState: 'ACTIVE',
      isActive: true,
      quote: { status: 'confirmed', bidBps: 60 },
    })
    expect(view.reconciliation.state).toBe('reconciled')
    expect(formatAmount(desk.state().book.accounts.pool.USDC)).toBe('50000')
  })

  it('stands still when nothing changes: an identical PATCH is never sent', () => {
    const desk = runCore(3_600_000)
    expect(desk.effects.filter(({ type }) => type === 'setQuote')).toHaveLength(1)
  })
})
