import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectBooksEqualChain, expectConvergence, expectSameReplay } from './rfq-end.ts'
import { step, take } from './rfq-steps.ts'
import { createWorld, expectNothingForgotten } from './rfq-world.ts'

// The real core against a small exact model of chain and venue: whatever happens in whatever order, what it owes is
// never forgotten, never promised twice, and every fill is in the books once.

describe('promises', () => {
  it('are never forgotten, never more than is there, and every fill of them is in the books once', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) => {
        const world = createWorld()
        const moved = steps.some((one) => one.do === 'move' || one.do === 'withdraw')
        for (const one of steps) {
          take(world, one)
          expectNothingForgotten(world)
        }
        expectConvergence(world)
        if (!moved && !world.explainedBlind)
          expect(world.core.state().reconciliation.state).toBe('reconciled')
        expectBooksEqualChain(world)
        expectSameReplay(world)
      }),
      { numRuns: 10 },
    )
  }, 120_000)
})
