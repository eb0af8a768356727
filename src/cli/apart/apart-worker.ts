import { workerData } from 'node:worker_threads'
import { runCommand } from '../apart-commands.ts'
import type { ApartOrder } from './run-apart.ts'
import { watchStrategies } from '../../research/jobs/apart/watch-strategy.ts'

// The thread of run-apart.ts runs one command and ends.
const { command, options, buffer, terminals } = workerData as ApartOrder
for (const name of ['stdout', 'stderr'] as const) Object.assign(process[name], terminals[name])
await runCommand(command, options, watchStrategies(buffer))
