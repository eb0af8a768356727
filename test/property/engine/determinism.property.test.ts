import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeJson, encodeJson } from '../../../src/base/codec.ts'
import { createEngine, type Engine } from '../../../src/core/engine/engine.ts'
import type { EngineState } from '../../../src/core/engine/model/state.ts'
import type { Event } from '../../../src/core/engine/model/event.ts'
import { testStrategy } from '../../support/test-strategy.ts'
import { anyJournal } from './any-event.ts'

/** A strategy with moods: it draws, remembers, closes sides, leaves the range and fails. */
const moody = testStrategy((context) => {
  const random = context.random('mood')
  if (random() < 0.02) throw new Error('a bad day')
  const side = () => (random() < 0.1 ? null : Math.round(random() * 600) - 20)
  return { bidBps: side(), askBps: side(), reasons: [context.cause] }
})
const parts = { strategyFor: () => moody, calendar: () => false }

const run = (engine: Engine, journal: readonly Event[], from = 0) =>
  journal.slice(from).map((event, index) => encodeJson(engine.process(from + index + 1, event)))

describe('the core, given any journal', () => {
  it('brings about the same twice', () => {
    fc.assert(
      fc.property(anyJournal, (journal) => {
        const [one, two] = [createEngine(parts), createEngine(parts)]
        expect(run(one, journal)).toEqual(run(two, journal))
        expect(encodeJson(one.state())).toBe(encodeJson(two.state()))
      }),
      { numRuns: 40 },
    )
  })

  it('continues from a snapshot of any point as if nothing had happened', () => {
    fc.assert(
      fc.property(anyJournal, fc.nat(), (journal, point) => {
        const cut = 1 + (point % journal.length)
        const whole = createEngine(parts)
        const audits = run(whole, journal)
        const first = createEngine(parts)
        run(first, journal.slice(0, cut))
        const state = decodeJson(encodeJson(first.state())) as EngineState
        const second = createEngine({ ...parts, from: { state, seq: cut } })
        // The journal itself has been to disk and back.
        const tail = decodeJson(encodeJson(journal)) as Event[]
        expect(run(second, tail, cut)).toEqual(audits.slice(cut))
        expect(encodeJson(second.state())).toBe(encodeJson(whole.state()))
      }),
      { numRuns: 40 },
    )
  })
})
