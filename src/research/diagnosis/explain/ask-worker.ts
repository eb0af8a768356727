import { parentPort, workerData } from 'node:worker_threads'
import { err, invariant, type Result } from '../../../base/result.ts'
import { loadStrategyApart } from '../../../daemon/config/strategy/load-strategy.ts'
import { createCalendar } from '../../../daemon/runtime/position/calendar.ts'
import { askStrategy } from '../../../core/strategy/ask-strategy.ts'
import type { StrategyQuote } from '../../../core/strategy/define-strategy.ts'
import { freshMemory, type StrategyMemory } from '../../../core/strategy/memory.ts'
import type { AskOrder } from './ask-in-thread.ts'
import { contextOf } from './situation.ts'

/** Loads the strategy like the daemon and calls it in each situation, each time with a copy of its state. */
async function answers(order: AskOrder): Promise<Result<readonly StrategyQuote[], string>> {
  const loaded = await loadStrategyApart(order.wish, order.where)
  if (!loaded.ok)
    return err(loaded.error.map(({ path, message }) => `strategy.${path.join('.')}: ${message}`).join('\n'))
  const { strategy } = loaded.value
  const calendar = createCalendar()
  const quotes: StrategyQuote[] = []
  for (const situation of order.situations) {
    const memory =
      situation.memory === null
        ? freshMemory(strategy)
        : (structuredClone(situation.memory) as StrategyMemory)
    const asked = askStrategy(strategy, memory, contextOf(situation, order.learned, calendar))
    if (!asked.ok) return asked
    quotes.push(asked.value)
  }
  return { ok: true, value: quotes }
}

// The thread of ask-in-thread.ts gets one request and sends one answer.
invariant(parentPort !== null, 'a strategy runs in a separate thread here')
parentPort.postMessage(await answers(workerData as AskOrder))
