import { confirm } from '@clack/prompts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import { openCustodyDesk, type CustodyEnd } from './custody-desk.ts'
import { custodySteps, type CustodySteps } from './custody-steps.ts'
import { deactivateOnce } from './deactivate-once.ts'
import { enableCustody } from './enable-custody.ts'
import { loadOrExplain } from './load-or-explain.ts'
import { operatorName } from './operator-name.ts'
import { sayOutcome } from './outcome.ts'
import { sayReadingError } from './reading-error.ts'
import type { Voice } from './say.ts'
import { openVenue } from './open-venue.ts'
import { withStoreLock, type LendStore } from './with-store-lock.ts'

export type CustodyEnableOptions = Voice & {
  readonly config: string
  readonly reason: string
  /** The solver as a person has seen it; absent = asked on the terminal. */
  readonly solver?: string
}

/** Leaves the pool and lets the exchange take what is configured, so that the daemon may sign orders. */
export async function custodyEnable(options: CustodyEnableOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { forTrading: true, apart: 'load' })
  if (config === null) return
  const steps = custodySteps(options)
  await sayReadingError(options, async () => {
    const end = await withStoreLock(config, (lend) => walk(config, options, lend, steps))
    const outcome = { command: 'custody enable', position: config.core.name, via: 'chain', ...end } as const
    sayOutcome(options, outcome, { steps: steps.told })
  })
}

async function walk(
  config: LoadedConfig,
  options: CustodyEnableOptions,
  lend: LendStore,
  steps: CustodySteps,
): Promise<CustodyEnd> {
  const desk = await openCustodyDesk(config)
  if (!desk.ok) return desk.error
  const venue = openVenue(config)
  const leavePool = async () => {
    const left = await lend(() => deactivateOnce(config, operatorName(), options.reason))
    return left.ok ? left.value : left.error
  }
  try {
    const confirmSolver = (solver: string, pinned: string | null) => confirmedSolver(solver, pinned, options)
    return await enableCustody({ desk: desk.value, venue, leavePool, steps, confirmSolver })
  } finally {
    await Promise.all([venue.close(), desk.value.close()])
  }
}

/** Why the solver is not confirmed; null = a person has named it, or said yes to it on the terminal. */
async function confirmedSolver(
  solver: string,
  pinned: string | null,
  { solver: named, json }: CustodyEnableOptions,
): Promise<string | null> {
  const what =
    pinned === null
      ? `the venue names the solver ${solver}, and none is pinned yet`
      : `the venue names the solver ${solver}, and the signer signs for ${pinned} only`
  if (named !== undefined)
    return named.toLowerCase() === solver
      ? null
      : `${what}; --solver says ${named}, so nothing was changed: ask the venue which one is right`
  if (json === true || !process.stdin.isTTY || !process.stderr.isTTY)
    return `${what}: it may take whatever your orders give, so compare it with what the venue has published, then confirm it with --solver ${solver}`
  const isConfirmed = await confirm({
    message: `${what[0]?.toUpperCase()}${what.slice(1)}. It may take whatever your orders give. Pin it?`,
    initialValue: false,
    output: process.stderr,
  })
  return isConfirmed === true ? null : 'nothing was changed: the solver was not confirmed'
}
