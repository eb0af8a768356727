import fixedSpread from '../../strategies/fixed-spread.ts'
import inventorySkew from '../../strategies/inventory-skew.ts'
import rfqLadder from '../../strategies/rfq-ladder.ts'
import schedule from '../../strategies/schedule.ts'
import { z } from 'zod'
import type { StrategyChoice } from '../../src/core/engine/model/config.ts'
import {
  defineStrategy,
  type LoadedStrategy,
  type StrategyDefinition,
} from '../../src/core/strategy/define-strategy.ts'

/**
 * A strategy no one would run: it wanders over everything the shape of a quote allows, out of range, crossed,
 * one side off or both, and now and then it throws or answers with what is no quote.
 */
const wild = defineStrategy({
  name: 'wild',
  params: z.strictObject({ throwChance: z.number().default(0) }),
  init: () => ({ asked: 0 }),
  quote(context, state, params) {
    state.asked += 1
    const random = context.random('wild')
    if (random() < params.throwChance) {
      if (random() < 0.5) throw new Error('a strategy that fails')
      return { bidBps: Number.NaN, askBps: 60, reasons: ['not a number'] }
    }
    // Most of the time it stands still, or the day would be nothing but requotes.
    const mood = random() < 0.9 ? Math.floor(context.now / 600_000) % 7 : Math.floor(random() * 7)
    const off = { bidBps: null, askBps: null, reasons: ['off'] }
    const moods = [
      { bidBps: 60, askBps: 60, reasons: ['plain'] },
      { bidBps: 12.4, askBps: 31.5, reasons: ['narrow and broken'] },
      { bidBps: -40, askBps: 700, reasons: ['out of range'] },
      { bidBps: null, askBps: 45, reasons: ['ask only'] },
      { bidBps: 45, askBps: null, reasons: ['bid only'] },
      off,
      { bidBps: -300, askBps: 20, reasons: ['crossed'] },
    ]
    return moods[mood] ?? off
  },
})

const DEFINITIONS: Readonly<Record<string, unknown>> = {
  'fixed-spread': fixedSpread,
  'inventory-skew': inventorySkew,
  'rfq-ladder': rfqLadder,
  schedule,
  wild,
}

/** The strategy of a choice with all that it wraps, loaded as the configuration room would, without files. */
export function worldStrategy({ use, params }: Pick<StrategyChoice, 'use' | 'params'>): LoadedStrategy {
  const definition = DEFINITIONS[use] as StrategyDefinition<unknown, unknown> | undefined
  if (definition === undefined) throw new Error(`no strategy ${use} in the world simulations`)
  const parsed = definition.params.parse(params)
  const inner: Record<string, LoadedStrategy> = {}
  for (const [label, choice] of Object.entries(definition.inner?.(parsed) ?? {})) {
    inner[label] = worldStrategy(choice)
  }
  return { use, definition, params: parsed, inner, sourceHash: `world ${use}` }
}
