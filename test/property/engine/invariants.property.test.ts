import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/core/engine/engine.ts'
import type { Effect } from '../../../src/core/engine/model/effect.ts'
import type { EngineState } from '../../../src/core/engine/model/state.ts'
import { identityResidual } from '../../../src/core/ledger/book/pnl.ts'
import { ASSETS } from '../../../src/base/money/asset.ts'
import { isSpreadBps } from '../../../src/base/money/bps.ts'
import { testStrategy } from '../../support/test-strategy.ts'
import { anyJournal } from './any-event.ts'

const wild = testStrategy((context) => {
  const random = context.random('wild')
  if (random() < 0.02) throw new Error('a bad day')
  const side = () => (random() < 0.15 ? null : (random() - 0.2) * 900)
  return { bidBps: side(), askBps: side(), reasons: [] }
})

function checkEffect(effect: Effect, state: EngineState): void {
  if (effect.type === 'setQuote') {
    const { bidBps, askBps, quoteBid, quoteAsk } = effect.spread
    expect(isSpreadBps(bidBps) && isSpreadBps(askBps)).toBe(true)
    expect(quoteBid || quoteAsk).toBe(true)
    if (state.latch.halted !== null) {
      expect(quoteBid ? bidBps : 500).toBe(500)
      expect(quoteAsk ? askBps : 500).toBe(500)
    }
  }
  if (effect.type === 'activate') {
    expect(state.config.mode).toBe('live')
    if (state.latch.halted !== null) expect(effect.isActive).toBe(false)
  }
  if (effect.type === 'withdraw') expect(state.config.withdraw.destinations).toContain(effect.toAddress)
}

/** What is ours and where it came from are two sides of one sheet. */
function checkBooks({ book }: EngineState): void {
  for (const asset of ASSETS) {
    let sum = 0n
    for (const amounts of Object.values(book.accounts)) sum += amounts[asset]
    expect(sum).toBe(0n)
  }
  expect([null, '0,0']).toContain(
    ((residual) => (residual === null ? null : `${residual.tzs},${residual.usd}`))(identityResidual(book)),
  )
}

describe('whatever the venue, people and clocks do', () => {
  it('nothing throws, no quote is out of range, HALTED quotes nothing but the safe quote, the books balance', () => {
    fc.assert(
      fc.property(anyJournal, (journal) => {
        const engine = createEngine({ strategyFor: () => wild, calendar: () => false })
        for (const [index, event] of journal.entries()) {
          const audit = engine.process(index + 1, event)
          const state = engine.state()!
          for (const effect of audit.effects) checkEffect(effect, state)
          checkBooks(state)
          expect(audit.wakeAt).toBeGreaterThan(state.now)
        }
      }),
      { numRuns: 80 },
    )
  })

  it('the key is never asked more than sixty times in any minute, and one PATCH is under way at most', () => {
    fc.assert(
      fc.property(anyJournal, (journal) => {
        const engine = createEngine({ strategyFor: () => wild, calendar: () => false })
        const keyed: number[] = []
        for (const [index, event] of journal.entries()) {
          const before = engine.state()?.quoting.inFlight ?? null
          const { effects } = engine.process(index + 1, event)
          const { now } = engine.state()!
          for (const { type } of effects) if (type !== 'readBestQuote') keyed.push(now)
          expect(keyed.filter((at) => at > now - 60_000).length).toBeLessThanOrEqual(60)
          const patches = effects.filter(({ type }) => type === 'setQuote')
          const isSettled = ['quoteSet', 'requestFailed', 'started'].includes(event.type)
          expect(patches.length).toBeLessThanOrEqual(before === null || isSettled ? 1 : 0)
        }
      }),
      { numRuns: 80 },
    )
  })
})
