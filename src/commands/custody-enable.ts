import type { LoadedConfig } from '../config/loaded-config.ts'
import { createVenueClient } from '../venue/client.ts'
import { venueSettingsSchema } from '../venue/settings.ts'
import { openCustodyDesk, type CustodyEnd } from './custody-desk.ts'
import { custodySteps, type CustodySteps } from './custody-steps.ts'
import { deactivateOnce } from './deactivate-once.ts'
import { enableCustody } from './enable-custody.ts'
import { loadOrExplain } from './load-or-explain.ts'
import { operatorName } from './operator-name.ts'
import { sayOutcome } from './outcome.ts'
import { sayReadingError } from './reading-error.ts'
import type { Voice } from './say.ts'
import { withStoreLock, type LendStore } from './with-store-lock.ts'

export type CustodyEnableOptions = Voice & { readonly config: string; readonly reason: string }

/** Leaves the pool and lets the exchange take what is configured, so that the daemon may sign orders. */
export async function custodyEnable(options: CustodyEnableOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { forTrading: true })
  if (config === null) return
  const steps = custodySteps(options)
  await sayReadingError(options, async () => {
    const end = await withStoreLock(config, (lend) => walk(config, options.reason, lend, steps))
    const outcome = { command: 'custody enable', position: config.core.name, via: 'chain', ...end } as const
    sayOutcome(options, outcome, { steps: steps.told })
  })
}

async function walk(
  config: LoadedConfig,
  why: string,
  lend: LendStore,
  steps: CustodySteps,
): Promise<CustodyEnd> {
  const desk = await openCustodyDesk(config)
  if (!desk.ok) return desk.error
  const venue = createVenueClient(venueSettingsSchema.parse(config.venue), {
    apiKey: config.apiKey.reveal(),
  })
  const leavePool = async () => {
    const left = await lend(() => deactivateOnce(config, operatorName(), why))
    return left.ok ? left.value : left.error
  }
  try {
    return await enableCustody({ desk: desk.value, venue, leavePool, steps })
  } finally {
    await Promise.all([venue.close(), desk.value.chain.close()])
  }
}
