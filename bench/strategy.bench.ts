import { fileURLToPath } from 'node:url'
import inventorySkew from '../strategies/inventory-skew.ts'
import { loadStrategy } from '../src/daemon/config/strategy/load-strategy.ts'
import { neutralContext } from '../src/daemon/config/strategy/try-strategy.ts'
import { askStrategy } from '../src/core/strategy/ask-strategy.ts'
import type { LoadedStrategy, StrategyDefinition } from '../src/core/strategy/define-strategy.ts'
import { freshMemory } from '../src/core/strategy/memory.ts'
import { plainRowNs } from './plain/row-cost.ts'
import { shortOr } from './harness/short.ts'

const CALLS = shortOr(100_000, 500_000)
const ROUNDS = 15
const PARAMS = { halfSpreadBps: 45, maxSkewBps: 80, offBeyond: 0.9 }

/**
 * What it costs that a strategy is confined: one question to inventory-skew and the check of its answer, as a module
 * on an ordinary thread, as the same module once the thread is locked down, and in its compartment; and how long
 * loading takes, the first time in a thread and with other code after that. The best of the rounds.
 */
export default async function strategyBench(): Promise<Record<string, unknown>> {
  const plain = asModule()
  const before = nanosecondsACall(plain)
  const folder = fileURLToPath(new URL('../strategies', import.meta.url))
  const load = async (use: string, params: unknown) => {
    const began = performance.now()
    const loaded = await loadStrategy({ use, params }, { folder, baseFolder: folder })
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
    return { strategy: loaded.value.strategy, ms: performance.now() - began }
  }
  const first = await load('inventory-skew', PARAMS)
  const next = await load('fixed-spread', { bidBps: 60, askBps: 60 })
  const confined = nanosecondsACall(first.strategy)
  return {
    unit: 'nanoseconds a call',
    module: before,
    moduleAfterLockdown: nanosecondsACall(plain),
    confined,
    loadMs: { firstOfAThread: Math.round(first.ms), next: Math.round(next.ms) },
    /** A row of the plain loop by a question to the confined strategy. */
    ratios: { confined: Number(((await plainRowNs()) / confined).toPrecision(3)) },
  }
}

function asModule(): LoadedStrategy {
  const definition = inventorySkew as StrategyDefinition<unknown, unknown>
  return {
    use: 'inventory-skew',
    definition,
    params: definition.params.parse(PARAMS),
    inner: {},
    sourceHash: 'bench',
  }
}

function nanosecondsACall(strategy: LoadedStrategy): number {
  const memory = freshMemory(strategy)
  const context = neutralContext()
  let best = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const began = process.cpuUsage()
    for (let call = 0; call < CALLS; call++) askStrategy(strategy, memory, context)
    const { user, system } = process.cpuUsage(began)
    best = Math.min(best, (1e3 * (user + system)) / CALLS)
  }
  return Math.round(best)
}
