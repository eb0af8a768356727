import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { type Outcome, printOutcome, printStoreError } from '../output/print.ts'
import { commandDaemon, operatorName } from './daemon-client.ts'
import { type OneOrAll, reasonText } from './operate.ts'
import { operateFleet } from './operate-fleet.ts'

/** Acknowledges an alert by its code, or all (null), of one position or of every position of a fleet. */
export async function ack(code: string | null, options: OneOrAll): Promise<void> {
  const { fleet, config: file = '', reason } = options
  await printStoreError(options, async () => {
    if (fleet !== undefined)
      return operateFleet(fleet, options, (config) => acknowledge(config, code, reason))
    const config = await loadOrExplain(file, options)
    if (config !== null) printOutcome(options, await acknowledge(config, code, reason))
  })
}

async function acknowledge(config: LoadedConfig, code: string | null, reason: string): Promise<Outcome> {
  const body = { who: operatorName(), why: reasonText(reason), code }
  const outcome = await commandDaemon(config, 'ack', body)
  return (
    outcome ?? {
      command: 'ack',
      position: config.core.name,
      via: 'nobody',
      exitCode: EXIT_CODE.refused,
      answer: 'no daemon runs, so nothing is repeated; docs/first-aid.md is for a daemon that is gone',
    }
  )
}
