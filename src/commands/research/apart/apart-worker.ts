import { workerData } from 'node:worker_threads'
import type { BacktestOptions } from '../backtest/backtest.ts'
import type { WhatifOptions } from '../whatif.ts'
import type { ApartOrder } from './run-apart.ts'
import { watchStrategies } from './watch-strategy.ts'

// The thread of run-apart.ts: one command, and its end.
const { command, options, buffer, terminals } = workerData as ApartOrder
for (const name of ['stdout', 'stderr'] as const) Object.assign(process[name], terminals[name])
const watch = watchStrategies(buffer)
if (command === 'backtest')
  await (await import('../backtest/backtest.ts')).backtest(options as BacktestOptions, watch)
else await (await import('../whatif.ts')).whatif(options as WhatifOptions, watch)
