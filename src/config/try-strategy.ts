import { errorText } from '../base/error-text.ts'
import { err, type Result } from '../base/result.ts'
import { askStrategy } from '../strategy/ask-strategy.ts'
import { freshMemory, type StrategyMemory } from '../strategy/memory.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'
import type { DescribedIssue } from './describe-issues.ts'
import {
  loadStrategy,
  type LoadStrategyOptions,
  type StrategyWish,
  type StrategyWithSources,
} from './load-strategy.ts'
import { neutralContext } from './neutral-context.ts'

/** Loads a strategy and asks it once on a neutral context. May hang if the strategy does. */
export async function tryStrategy(
  wish: StrategyWish,
  options: LoadStrategyOptions,
): Promise<Result<StrategyWithSources, readonly DescribedIssue[]>> {
  const loaded = await loadStrategy(wish, options)
  if (!loaded.ok) return loaded
  const memory = memoryOf(loaded.value.strategy)
  if (!memory.ok) return refusal(memory.error)
  const quote = askStrategy(loaded.value.strategy, memory.value, neutralContext())
  return quote.ok ? loaded : refusal(quote.error)
}

function memoryOf(strategy: LoadedStrategy): Result<StrategyMemory, string> {
  try {
    return { ok: true, value: freshMemory(strategy) }
  } catch (thrown) {
    return err(`its init threw: ${errorText(thrown)}`)
  }
}

function refusal(message: string) {
  return err([{ path: ['use'], at: 'value' as const, message: `${message}; repair the file` }])
}
