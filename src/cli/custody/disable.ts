import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import {
  type CustodyClients,
  custodySteps,
  type CustodySteps,
  failedEnd,
  openCustodyClients,
  withStoreLock,
} from './clients.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import {
  fail,
  printOutcome,
  printStoreError,
  type OutputFormat,
  type CommandResult,
} from '../output/print.ts'
import { cancelOnChain, ordersOnChain, openOrdersInStore, untilEnded } from './orders-on-chain.ts'
import { openVenue } from '../../daemon/runtime/effects/open-venue.ts'
import type { Ms } from '../../base/time.ts'
import { ASSETS } from '../../base/money/asset.ts'
import type { OpenOrder } from '../../core/rfq/open-order.ts'
import { expiresAt } from '../../core/rfq/open-order.ts'
import { selfCustodyOf } from '../../daemon/runtime/effects/connect-venue.ts'
import type { CustodyPort } from '../../venue/port.ts'
import { ageText } from '../../base/text/times.ts'

type CustodyDisableOptions = OutputFormat & {
  readonly config: string
  readonly cancel?: boolean
  readonly wait?: boolean
}

/** Ends every order, revokes the exchange's allowances and switches the venue to pooled capital. */
export async function custodyDisable(options: CustodyDisableOptions): Promise<void> {
  if (options.cancel === true && options.wait === true)
    return fail(options, EXIT_CODE.usage, '--cancel and --wait exclude each other; give one of them')
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  const how = options.cancel === true ? 'cancel' : options.wait === true ? 'wait' : 'refuse'
  const steps = custodySteps(options)
  await printStoreError(options, async () => {
    const end = await withStoreLock(config, () => disable(config, how, steps))
    const outcome = { command: 'custody disable', position: config.core.name, via: 'chain', ...end } as const
    printOutcome(options, outcome, { steps: steps.reported })
  })
}

async function disable(config: LoadedConfig, how: DisableHow, steps: CustodySteps): Promise<CommandResult> {
  const owed = await openOrdersInStore(config)
  if (!owed.ok) return owed.error
  const clients = await openCustodyClients(config)
  if (!clients.ok) return clients.error
  const venue = openVenue(config)
  try {
    const custody = selfCustodyOf(venue)
    if (!custody.ok) return { exitCode: EXIT_CODE.usage, answer: `${config.file}: ${custody.error}` }
    return await disableCustody({
      clients: clients.value,
      venue: custody.value,
      openOrders: owed.value,
      how,
      steps,
    })
  } finally {
    await Promise.all([venue.close(), clients.value.close()])
  }
}

/** How to handle orders that can still be filled. */
export type DisableHow = 'refuse' | 'cancel' | 'wait'

type DisableParts = {
  readonly clients: CustodyClients
  readonly venue: Pick<CustodyPort, 'custody'>
  /** The open orders in the store. */
  readonly openOrders: readonly OpenOrder[]
  readonly how: DisableHow
  readonly steps: CustodySteps
}

/** A transaction in a calm network takes seconds; in a busy one it is replaced with a higher fee. */
const CANCEL_WITHIN_MS = 300_000
/** If the chain's clock lags behind by more than this, waiting for an expiry is given up. */
const CLOCK_SLACK_MS = 120_000

/**
 * Switches from signed orders to pooled capital: first every order ends, then the exchange's allowances are set to
 * zero, then the venue is switched. Can be interrupted and repeated at any point.
 */
export async function disableCustody(parts: DisableParts): Promise<CommandResult> {
  for (const step of [endOrders, withdrawAllowances, switchVenue]) {
    const end = await step(parts)
    if (end !== null) return end
  }
  return {
    exitCode: EXIT_CODE.ok,
    answer:
      'self-custody is off and the exchange has no allowance; remove rfq from the configuration to pool capital again',
  }
}

async function endOrders({
  clients,
  openOrders: owed,
  how,
  steps,
}: DisableParts): Promise<CommandResult | null> {
  if (owed.length === 0) {
    steps.report('orders', false, 'no order is open')
    return null
  }
  const seen = await ordersOnChain(clients, owed)
  if (!seen.ok) return seen.error
  const { standing, now } = seen.value
  if (standing.length === 0) {
    steps.report('orders', false, 'the chain shows no order that can still be filled')
    return null
  }
  if (how === 'refuse') return stillOwed(standing, now)
  if (how === 'cancel') {
    const failed = await cancelOnChain(clients, standing, seen.value, steps)
    if (failed !== null) return failed
  }
  const last = Math.max(...standing.map(expiresAt))
  const withinMs = how === 'cancel' ? CANCEL_WITHIN_MS : Math.max(0, last - now) + CLOCK_SLACK_MS
  const failed = await untilEnded(clients, standing, withinMs, steps)
  if (failed !== null) return failed
  steps.report('orders', true, `${standing.length} ended: none can be filled any longer`)
  return null
}

function stillOwed(standing: readonly OpenOrder[], now: Ms): CommandResult {
  const lines = standing.map((one) => {
    const { order, side, stable, hash } = one
    return `  ${order.salt} ${side} ${stable}, expires in ${ageText(expiresAt(one) - now)}, ${hash ?? 'hash unknown'}`
  })
  const remedy = '--cancel takes them back on chain, --wait waits until they have expired'
  return {
    exitCode: EXIT_CODE.refused,
    answer: [`${standing.length} can still be filled; ${remedy}:`, ...lines].join('\n'),
  }
}

async function withdrawAllowances({ clients, steps }: DisableParts): Promise<CommandResult | null> {
  for (const asset of ASSETS) {
    if (clients.settings.tokens[asset] === undefined) continue
    const sent = await clients.chain.approve(asset, 0n)
    if (!sent.ok) return failedEnd(sent.error, `revoking the allowance of ${asset}`)
    const text = `the exchange may take no ${asset}`
    if (sent.value === null) steps.report('approve', false, text)
    else steps.report('approve', true, `${text} (transaction ${sent.value.txHash})`)
  }
  return null
}

async function switchVenue({ venue, steps }: DisableParts): Promise<CommandResult | null> {
  const told = await venue.custody(false)
  if (!told.ok && told.error.code === 'NOT_SELF_CUSTODY') {
    steps.report('custody', false, 'self-custody is off at the venue')
    return null
  }
  if (!told.ok) return failedEnd(told.error, 'PUT /custody at the venue')
  if (told.value.isEnabled === true)
    return {
      exitCode: EXIT_CODE.refused,
      answer:
        'the venue accepted PUT /custody but reports self-custody as still on; ask it why, or try venue.custodyBody: selfCustody',
    }
  const says =
    told.value.isEnabled === false ? ', confirmed in its answer' : '; its answer does not confirm it'
  steps.report('custody', true, `the venue accepted that self-custody is off${says}`)
  return null
}
