import { err, ok, type Result } from '../../base/result.ts'
import { STABLE_ASSETS } from '../../base/money/asset.ts'
import type { TargetOrder } from '../rfq/build-order.ts'
import type { StrategyContext } from './context.ts'
import type { LoadedStrategy, Plot, QuoteTerm, StrategyQuote } from './define-strategy.ts'
import type { StrategyMemory } from './memory.ts'
import { missingReasonsText } from './refused-names.ts'

/**
 * The process that evaluates the strategy ended during a call. The core does not decide anything from that: the position restarts
 * from its journal, with the strategy suspended before the event.
 */
export class StrategyLost extends Error {
  override readonly name = 'StrategyLost'
  /** The number of the event in which it was asked; null = not asked during an event. */
  seq: number | null = null
}

/**
 * Asks a strategy for its quote and checks the answer's shape. A strategy that throws, or returns an invalid quote (NaN,
 * infinity, a missing side), yields an error that names it.
 */
export function askStrategy(
  strategy: LoadedStrategy,
  memory: StrategyMemory,
  context: StrategyContext,
): Result<StrategyQuote, string> {
  try {
    // Inside the try block, because reading the answer may run getters of the strategy.
    return check(strategy.use, quoteOf(strategy, memory, context))
  } catch (thrown) {
    if (thrown instanceof StrategyLost) throw thrown
    const text = thrownText(thrown)
    return err(
      text.startsWith(ASYNC_THREW) ? promised(strategy.use) : `strategy ${strategy.use} threw: ${text}`,
    )
  }
}

/** The error of an async function in a confined strategy, whose globals have no Promise. */
const ASYNC_THREW = 'Promise is not a constructor'

function promised(name: string): string {
  return `strategy ${name} returned a promise: quote() must return its answer directly, so it cannot be async`
}

function quoteOf(strategy: LoadedStrategy, memory: StrategyMemory, context: StrategyContext): StrategyQuote {
  const inner: Record<string, (context: StrategyContext) => StrategyQuote> = {}
  for (const label in strategy.inner) {
    const wrapped = strategy.inner[label]
    const wrappedMemory = memory.inner[label]
    if (wrapped === undefined || wrappedMemory === undefined) continue
    inner[label] = (seen) => {
      const answer = check(wrapped.use, quoteOf(wrapped, wrappedMemory, seen))
      // The wrapped strategy is at fault for an invalid quote; the wrapper would only pass on a NaN.
      if (!answer.ok) throw new Error(answer.error)
      return answer.value
    }
  }
  return strategy.definition.quote(context, memory.own, strategy.params, inner)
}

/** More levels than this suggest an endless loop. */
const MAX_ORDERS = 1_000
const MAX_REASONS = 100
const MAX_REASON_LENGTH = 1_000
/** A wrapped strategy has about ten. */
const MAX_TERMS = 100
const MAX_TERM_NAME = 60

function check(name: string, quote: unknown): Result<StrategyQuote, string> {
  if (typeof quote !== 'object' || quote === null) return err(`strategy ${name} did not return a quote`)
  if ('then' in quote) return err(promised(name))
  const { bidBps, askBps, orders, reasons, terms, fallback, plot } = quote as Partial<StrategyQuote>
  if (!isSpread(bidBps)) return err(unusable(name, 'bidBps', bidBps))
  if (!isSpread(askBps)) return err(unusable(name, 'askBps', askBps))
  if (!Array.isArray(reasons)) return err(`strategy ${name} ${missingReasonsText(quote)}`)
  const answer: Writable<StrategyQuote> = {
    bidBps: bidBps ?? null,
    askBps: askBps ?? null,
    reasons: reasonsOf(reasons),
  }
  if (terms !== undefined) {
    const parts = termsOf(terms)
    if (!parts.ok) return err(`strategy ${name} answered terms: ${parts.error}`)
    answer.terms = parts.value
  }
  if (orders !== undefined) {
    const copies = ordersOf(orders)
    if (!copies.ok) return err(`strategy ${name} answered orders: ${copies.error}`)
    answer.orders = copies.value
  }
  if (fallback !== undefined) {
    if (typeof fallback !== 'string' || fallback.length === 0)
      return err(`strategy ${name} answered fallback = ${shortened(fallback)}; a sentence was expected`)
    answer.fallback = reasonOf(fallback)
  }
  if (plot !== undefined) {
    const values = plotOf(plot)
    if (!values.ok) return err(`strategy ${name} answered plot: ${values.error}`)
    answer.plot = values.value
  }
  return ok(answer)
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

function isSpread(value: unknown): boolean {
  return value === null || Number.isFinite(value)
}

function unusable(name: string, side: 'bidBps' | 'askBps', value: unknown): string {
  const shown = typeof value === 'string' ? JSON.stringify(shortened(value)) : String(value)
  return `strategy ${name} answered ${side} = ${shown}; a finite number or null was expected`
}

/** Returns the reasons as bounded text, because they are journalled and displayed. */
function reasonsOf(given: readonly unknown[]): string[] {
  const count = Math.min(given.length, MAX_REASONS)
  if (count === 0) return []
  // Pushing to an empty array allocates 17 slots, so start with the first element.
  const reasons = [reasonOf(given[0])]
  for (let index = 1; index < count; index++) reasons.push(reasonOf(given[index]))
  return reasons
}

function reasonOf(value: unknown): string {
  const reason = String(value)
  return reason.length > MAX_REASON_LENGTH ? reason.slice(0, MAX_REASON_LENGTH) : reason
}

/** Returns copies, because the terms are journalled with the state and displayed. */
function termsOf(terms: unknown): Result<readonly QuoteTerm[], string> {
  if (!Array.isArray(terms)) return err('a list was expected')
  const { length } = terms
  if (length > MAX_TERMS) return err(`${length} terms; the maximum is ${MAX_TERMS}`)
  const copies: QuoteTerm[] = []
  for (let index = 0; index < length; index++) {
    const { name, bidBps, askBps } = (terms[index] ?? {}) as Partial<QuoteTerm>
    if (typeof name !== 'string' || name.length === 0 || name.length > MAX_TERM_NAME)
      return err(
        `[${index}].name = ${shortened(name)}; a text of 1 to ${MAX_TERM_NAME} characters was expected`,
      )
    if (!Number.isFinite(bidBps))
      return err(`[${index}].bidBps = ${shortened(bidBps)}; a finite number was expected`)
    if (!Number.isFinite(askBps))
      return err(`[${index}].askBps = ${shortened(askBps)}; a finite number was expected`)
    copies.push({ name, bidBps: bidBps ?? 0, askBps: askBps ?? 0 })
  }
  return ok(copies)
}

const MAX_PLOT_NAMES = 8
const PLOT_NAME = /^[A-Za-z][\w .%/-]{0,39}$/

/** Returns a copy. */
function plotOf(plot: unknown): Result<Plot, string> {
  if (typeof plot !== 'object' || plot === null || Array.isArray(plot))
    return err('an object of numbers by name was expected')
  const entries = Object.entries(plot)
  if (entries.length > MAX_PLOT_NAMES) return err(`${entries.length} names; the maximum is ${MAX_PLOT_NAMES}`)
  const copy: Record<string, number> = {}
  for (const [name, value] of entries) {
    if (!PLOT_NAME.test(name))
      return err(
        `the name ${shortened(name)}; 1 to 40 letters, digits, spaces or _.%/- were expected, a letter first`,
      )
    if (!Number.isFinite(value)) return err(`${name} = ${shortened(value)}; a finite number was expected`)
    copy[name] = value as number
  }
  return ok(copy)
}

function shortened(value: unknown): string {
  return String(value).slice(0, MAX_TERM_NAME)
}

/** Returns copies: each field is read once, so the signed values are the checked ones. */
function ordersOf(orders: unknown): Result<readonly TargetOrder[], string> {
  if (!Array.isArray(orders)) return err('a list was expected')
  const { length } = orders
  if (length > MAX_ORDERS) return err(`${length} orders; the maximum is ${MAX_ORDERS}`)
  const copies: TargetOrder[] = []
  for (let index = 0; index < length; index++) {
    const { side, stable, usd, tzsPerUsd } = (orders[index] ?? {}) as Partial<TargetOrder>
    if (side !== 'bid' && side !== 'ask')
      return err(`[${index}].side = ${String(side)}; bid or ask was expected`)
    if (stable === undefined || !STABLE_ASSETS.includes(stable))
      return err(`[${index}].stable = ${String(stable)}; a dollar was expected`)
    if (!isAmount(usd)) return err(`[${index}].usd = ${String(usd)}; a finite number above 0 was expected`)
    if (!isAmount(tzsPerUsd))
      return err(`[${index}].tzsPerUsd = ${String(tzsPerUsd)}; a finite number above 0 was expected`)
    copies.push({ side, stable, usd, tzsPerUsd })
  }
  return ok(copies)
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

/** Maximum length, because the text goes into the journal, the log and notifications. */
export const THROWN_LENGTH = 600

/** Returns the text of a thrown value. A strategy may throw anything, even a value without text. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown).slice(0, THROWN_LENGTH)
  } catch {
    return 'a value that cannot be shown as text'
  }
}
