import type { z } from 'zod'
import type { TargetOrder } from '../rfq/build-order.ts'
import type { StrategyContext } from './context.ts'

/**
 * One part of a quote: bps on each side with sign, + = wider. The name is a plain noun: 'half-spread', 'inventory', 'fair value',
 * 'informed takers', 'rivals', 'adverse selection', 'calendar'.
 */
export type QuoteTerm = { readonly name: string; readonly bidBps: number; readonly askBps: number }

/** What a strategy wants standing. Null = that side off. Numbers are rounded and clamped by risk, not here. */
export type StrategyQuote = {
  readonly bidBps: number | null
  readonly askBps: number | null
  /** In self-custody: the orders wanted, which are all that stands there. Absent = none. */
  readonly orders?: readonly TargetOrder[]
  /** The trace: short sentences, the first one the main reason. */
  readonly reasons: readonly string[]
  /**
   * What the quote is made of, in order: on each side the terms sum to the quote before it is rounded and clamped. Of a side
   * that is off they show what it would be, up to the term that turns it off. Absent = the strategy does not tell them apart.
   */
  readonly terms?: readonly QuoteTerm[]
  /**
   * What stands in for what the strategy would go by, as one sentence: no calibration, or a model without a solution. It does not
   * change from quote to quote while the cause is the same. Absent = nothing does.
   */
  readonly fallback?: string
}

/** A strategy that another one wraps: by name or path, with parameters for its own schema. */
export type InnerChoice = { readonly use: string; readonly params: unknown }

export type StrategyDefinition<Params, State> = {
  readonly name: string
  /** Validates and completes the parameters; defaults live here and nowhere else. */
  readonly params: z.ZodType<Params>
  /** Own state, plain JSON-like data. */
  readonly init: (params: Params) => State
  /** Strategies this one wraps, by a label of its own choosing. They are loaded and validated with it. */
  readonly inner?: (params: Params) => Readonly<Record<string, InnerChoice>>
  /**
   * The quote wanted now. May update `state` in place; the answer depends on nothing but the arguments.
   * `inner.label(context)` asks a wrapped strategy, which keeps a state of its own.
   */
  readonly quote: (
    context: StrategyContext,
    state: State,
    params: Params,
    inner: Readonly<Record<string, (context: StrategyContext) => StrategyQuote>>,
  ) => StrategyQuote
}

/** Declares a strategy. Identity at run time: it is there for the types. */
export function defineStrategy<Params, State>(
  definition: StrategyDefinition<Params, State>,
): StrategyDefinition<Params, State> {
  return definition
}

/** A strategy with validated parameters and the strategies it wraps, ready to be asked. */
export type LoadedStrategy = {
  readonly use: string
  readonly definition: StrategyDefinition<unknown, unknown>
  readonly params: unknown
  readonly inner: Readonly<Record<string, LoadedStrategy>>
  /** sha-256 over its source and the sources of what it wraps. */
  readonly sourceHash: string
  /** Its first reason where a trial on a calm market brought neither a side nor an order; absent = it quotes, or was not tried. */
  readonly quotesNothing?: string
}
