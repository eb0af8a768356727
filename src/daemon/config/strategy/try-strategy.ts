import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { askStrategy } from '../../../core/strategy/ask-strategy.ts'
import { freshMemory, type StrategyMemory } from '../../../core/strategy/memory.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import type { Finding } from '../source/problem.ts'
import {
  loadStrategy,
  type LoadStrategyOptions,
  type StrategyReference,
  type StrategyWithSources,
} from './load-strategy.ts'
import { seededRandom } from '../../../base/random.ts'
import { readCron } from '../schema/cron.ts'
import type { StrategyContext } from '../../../core/strategy/context.ts'
import { refuseAllOldNames } from '../../../core/strategy/refused-names.ts'

/** Loads a strategy and asks it once on a neutral context. May hang if the strategy does. */
export async function tryStrategy(
  wish: StrategyReference,
  options: LoadStrategyOptions,
): Promise<Result<StrategyWithSources, readonly Finding[]>> {
  const loaded = await loadStrategy(wish, options)
  if (!loaded.ok) return loaded
  const memory = memoryOf(loaded.value.strategy)
  if (!memory.ok) return refusal(memory.error)
  const quote = quoteOf(loaded.value.strategy, memory.value)
  if (!quote.ok) return refusal(quote.error)
  const { bidBps, askBps, orders = [], reasons } = quote.value
  if (bidBps !== null || askBps !== null || orders.length > 0) return loaded
  const strategy = { ...loaded.value.strategy, quotesNothing: reasons[0] ?? 'it gives no reason' }
  return ok({ ...loaded.value, strategy })
}

function memoryOf(strategy: LoadedStrategy): Result<StrategyMemory, string> {
  try {
    return { ok: true, value: freshMemory(strategy) }
  } catch (thrown) {
    return err(`its init threw: ${errorText(thrown)}`)
  }
}

/** A process that hangs makes this throw. */
function quoteOf(strategy: LoadedStrategy, memory: StrategyMemory): ReturnType<typeof askStrategy> {
  try {
    return askStrategy(strategy, memory, neutralContext())
  } catch (thrown) {
    return err(errorText(thrown))
  }
}

function refusal(message: string) {
  return err([{ path: ['use'], at: 'value' as const, message: `${message}; repair the file` }])
}

/** 2026-01-05 09:00 UTC, a Monday morning. */
const A_MONDAY_MS = 1_767_603_600_000

/** Returns a calm market on target, for trying out a strategy: every value is present and moderate. */
export function neutralContext(): StrategyContext {
  const context: StrategyContext = {
    now: A_MONDAY_MS,
    cause: 'start',
    mid: 2_500,
    midAgeMs: 60_000,
    fairValue: { tzsPerUsd: 2_500, errorBps: 0 },
    fairShift: { bps: 0, errorBps: 20, driftBpsPerDay: 0, feeds: 0, reasons: [] },
    feeds: [],
    inventory: {
      ntzs: 12_500_000,
      usd: 5_000,
      usdShare: 0.5,
      target: 0.5,
      capitalCost: { ntzsPerYear: 0, usdPerYear: 0 },
      imbalance: 0,
      totalTzs: 25_000_000,
    },
    recentFills: [],
    markouts: { bid: null, ask: null },
    competition: { bid: null, ask: null },
    standing: { bidBps: null, askBps: null },
    protocolFeeBps: 10,
    toleranceBps: 5,
    available: { ntzs: 12_500_000, stables: { USDC: 5_000 } },
    calibration: null,
    data: null,
    inWindow(cron, timezone) {
      readCron(cron, timezone)
      return false
    },
    random: (label) => seededRandom(1, label),
  }
  return refuseAllOldNames(context)
}
