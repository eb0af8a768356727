import { readFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { startProcessAhead } from '../../daemon/confinement/strategy-process.ts'
import { runCommand } from '../apart-commands.ts'
import type { ApartOrder } from './run-apart.ts'
import { watchStrategies } from '../../research/jobs/apart/watch-strategy.ts'

// The thread of run-apart.ts runs one command and ends.
const { command, options, buffer, terminals } = workerData as ApartOrder
for (const name of ['stdout', 'stderr'] as const) Object.assign(process[name], terminals[name])
// The process that tries a strategy of the user's own starts up while this thread loads its modules.
if (namesFile(options.config)) startProcessAhead()
await runCommand(command, options, watchStrategies(buffer))

/** Returns whether the strategy of a configuration is probably a file of its own. A wrong answer costs only time. */
function namesFile(config: string | undefined): boolean {
  try {
    return config !== undefined && /\buse['"]?: *['"]?[^\s'",}]*[./]/.test(readFileSync(config, 'utf8'))
  } catch {
    return false
  }
}
