import { err, ok, type Result } from '../base/result.ts'
import { STABLE_ASSETS } from '../money/asset.ts'
import type { OrderWish } from '../rfq/order-wish.ts'
import type { StrategyContext } from './context.ts'
import type { StrategyQuote } from './define-strategy.ts'
import type { LoadedStrategy } from './loaded-strategy.ts'
import type { StrategyMemory } from './strategy-memory.ts'
import { thrownText } from './thrown-text.ts'

/**
 * Asks a strategy for its quote and checks the answer's shape. A strategy that throws, or answers with
 * something that is no quote (NaN, infinity, a missing side), yields an error that names it.
 */
export function askStrategy(
  strategy: LoadedStrategy,
  memory: StrategyMemory,
  context: StrategyContext,
): Result<StrategyQuote, string> {
  try {
    return check(strategy.use, quoteOf(strategy, memory, context))
  } catch (thrown) {
    return err(`strategy ${strategy.use} threw: ${thrownText(thrown)}`)
  }
}

function quoteOf(strategy: LoadedStrategy, memory: StrategyMemory, context: StrategyContext): StrategyQuote {
  const inner: Record<string, (context: StrategyContext) => StrategyQuote> = {}
  for (const label of Object.keys(strategy.inner)) {
    const wrapped = strategy.inner[label]
    const wrappedMemory = memory.inner[label]
    if (wrapped === undefined || wrappedMemory === undefined) continue
    inner[label] = (seen) => quoteOf(wrapped, wrappedMemory, seen)
  }
  return strategy.definition.quote(context, memory.own, strategy.params, inner)
}

/** More levels than this are a loop that does not end. */
const MAX_ORDERS = 1_000

function check(name: string, quote: unknown): Result<StrategyQuote, string> {
  if (typeof quote !== 'object' || quote === null) return err(`strategy ${name} answered with no quote`)
  const { bidBps, askBps, orders, because } = quote as Partial<StrategyQuote>
  for (const [side, value] of [
    ['bidBps', bidBps],
    ['askBps', askBps],
  ] as const) {
    if (value !== null && (typeof value !== 'number' || !Number.isFinite(value))) {
      return err(`strategy ${name} answered ${side} = ${String(value)}; a finite number or null was expected`)
    }
  }
  if (!Array.isArray(because)) return err(`strategy ${name} gave no reasons ('because' must be a list)`)
  const answer = { bidBps: bidBps ?? null, askBps: askBps ?? null, because: because.map(String) }
  if (orders === undefined) return ok(answer)
  const wrong = wrongOrders(orders)
  return wrong === null ? ok({ ...answer, orders }) : err(`strategy ${name} answered orders: ${wrong}`)
}

function wrongOrders(orders: unknown): string | null {
  if (!Array.isArray(orders)) return 'a list was expected'
  if (orders.length > MAX_ORDERS) return `${orders.length} of them; ${MAX_ORDERS} are the most`
  for (const [index, order] of orders.entries()) {
    const { side, stable, usd, tzsPerUsd } = (order ?? {}) as Partial<OrderWish>
    if (side !== 'bid' && side !== 'ask') return `[${index}].side = ${String(side)}; bid or ask was expected`
    if (stable === undefined || !STABLE_ASSETS.includes(stable)) {
      return `[${index}].stable = ${String(stable)}; a dollar was expected`
    }
    for (const [field, value] of Object.entries({ usd, tzsPerUsd })) {
      if (typeof value === 'number' && Number.isFinite(value) && value > 0) continue
      return `[${index}].${field} = ${String(value)}; a finite number above 0 was expected`
    }
  }
  return null
}
