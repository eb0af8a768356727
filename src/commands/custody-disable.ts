import type { LoadedConfig } from '../config/loaded-config.ts'
import { openCustodyDesk, type CustodyEnd } from './custody-desk.ts'
import { custodySteps, type CustodySteps } from './custody-steps.ts'
import { disableCustody, type DisableHow } from './disable-custody.ts'
import { EXIT_CODE } from './exit-code.ts'
import { loadOrExplain } from './load-or-explain.ts'
import { sayOutcome } from './outcome.ts'
import { owedInStore } from './owed-in-store.ts'
import { sayReadingError } from './reading-error.ts'
import { fail, type Voice } from './say.ts'
import { openVenue } from './open-venue.ts'
import { withStoreLock } from './with-store-lock.ts'

export type CustodyDisableOptions = Voice & {
  readonly config: string
  readonly cancel?: boolean
  readonly wait?: boolean
}

/** Lets nothing stand, takes the exchange's allowances back and tells the venue. */
export async function custodyDisable(options: CustodyDisableOptions): Promise<void> {
  if (options.cancel === true && options.wait === true)
    return fail(
      options,
      EXIT_CODE.usage,
      '--cancel and --wait are two ways to the same end; one of them would be right',
    )
  const config = await loadOrExplain(options.config, options, { apart: 'load' })
  if (config === null) return
  const how = options.cancel === true ? 'cancel' : options.wait === true ? 'wait' : 'refuse'
  const steps = custodySteps(options)
  await sayReadingError(options, async () => {
    const end = await withStoreLock(config, () => walk(config, how, steps))
    const outcome = { command: 'custody disable', position: config.core.name, via: 'chain', ...end } as const
    sayOutcome(options, outcome, { steps: steps.told })
  })
}

async function walk(config: LoadedConfig, how: DisableHow, steps: CustodySteps): Promise<CustodyEnd> {
  const owed = await owedInStore(config)
  if (!owed.ok) return owed.error
  const desk = await openCustodyDesk(config)
  if (!desk.ok) return desk.error
  const venue = openVenue(config)
  try {
    return await disableCustody({ desk: desk.value, venue, owed: owed.value, how, steps })
  } finally {
    await Promise.all([venue.close(), desk.value.close()])
  }
}
