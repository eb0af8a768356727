import type { z } from 'zod'
import type { TargetOrder } from '../rfq/build-order.ts'
import type { StrategyContext } from './context.ts'

/**
 * One part of a quote: bps on each side with sign, + = wider. The name is a plain noun: 'half-spread', 'inventory', 'fair value',
 * 'informed takers', 'rivals', 'adverse selection', 'calendar'.
 */
export type QuoteTerm = { readonly name: string; readonly bidBps: number; readonly askBps: number }

/** The quote that a strategy wants. Null = that side is off. Risk rounds and clamps the numbers. */
export type StrategyQuote = {
  readonly bidBps: number | null
  readonly askBps: number | null
  /** The wanted orders in self-custody, where the spreads are ignored. Absent = none. */
  readonly orders?: readonly TargetOrder[]
  /** The trace: short sentences, the first one the main reason. */
  readonly reasons: readonly string[]
  /**
   * The parts of the quote in order: on each side they sum to the quote before it is rounded and clamped. For a side that is off
   * they show its quote up to the term that turns it off. Absent = the strategy does not state parts.
   */
  readonly terms?: readonly QuoteTerm[]
  /**
   * A sentence about a fallback of the strategy, for example for a missing calibration or a model without a solution. It is the
   * same from quote to quote while the cause is the same. Absent = no fallback.
   */
  readonly fallback?: string
  /** Values to draw in the report of a backtest, such as an indicator, by name. They change no decision. */
  readonly plot?: Plot
}

/** At most 8 finite numbers by name: 1 to 40 letters, digits, spaces, or any of `_ . % / -`, beginning with a letter. */
export type Plot = Readonly<Record<string, number>>

/** A wrapped strategy: its name or path, and parameters for its own schema. */
export type InnerChoice = { readonly use: string; readonly params: unknown }

export type StrategyDefinition<Params, State> = {
  readonly name: string
  /** Validates and completes the parameters. Defaults exist only here. */
  readonly params: z.ZodType<Params>
  /** Own state, plain JSON-like data. */
  readonly init: (params: Params) => State
  /** The strategies that this one wraps, by a label that it chooses. They are loaded and validated with it. */
  readonly inner?: (params: Params) => Readonly<Record<string, InnerChoice>>
  /**
   * Returns the wanted quote. May update `state` in place; the answer depends only on the arguments. `inner.label(context)`
   * asks a wrapped strategy, which keeps its own state.
   */
  readonly quote: (
    context: StrategyContext,
    state: State,
    params: Params,
    inner: Readonly<Record<string, (context: StrategyContext) => StrategyQuote>>,
  ) => StrategyQuote
}

/** Declares a strategy. Returns its argument; only the types matter. */
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
  /** sha-256 over its source and the sources of the strategies it wraps. */
  readonly sourceHash: string
  /** Its first reason if a trial on a calm market gave no side and no order; absent = it quotes, or was not tried. */
  readonly quotesNothing?: string
}
