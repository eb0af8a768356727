import { err, ok, type Result } from '../../base/result.ts'
import type { Contact } from '../../daemon/config/load/contact.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { OpenOrder } from '../../core/rfq/open-order.ts'
import { commandDaemon, operatorName } from '../operator/daemon-client.ts'
import { contactOf } from '../../daemon/config/load/contact.ts'
import { type OperateOptions, unreached } from '../operator/operate.ts'
import { custodySteps, type CustodySteps, openCustodyClients, withStoreLock } from '../custody/clients.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { contactOrExplain, loadOrExplain } from '../load-or-explain.ts'
import { cancelOnChain, ordersOnChain, openOrdersInStore, untilEnded } from '../custody/orders-on-chain.ts'
import {
  fail,
  type Outcome,
  printOutcome,
  printStoreError,
  type OutputFormat,
  type CommandResult,
} from '../output/print.ts'
import { NO_SELF_CUSTODY } from './list.ts'
import { readPosition } from '../inspect/position.ts'

type RfqCancelOptions = OutputFormat & {
  readonly config: string
  readonly reason: string
  /** Selects an order; without salt and hash, every open order. */
  readonly salt?: string
  readonly hash?: string
}

/** Long enough for a transaction that is resent with a higher fee. */
const CANCEL_WITHIN_MS = 300_000
const HASH = /^0x[0-9a-f]{64}$/i

/** Cancels one order on chain. */
export async function rfqCancel(options: RfqCancelOptions): Promise<void> {
  if ((options.salt === undefined) === (options.hash === undefined))
    return fail(options, EXIT_CODE.usage, 'which order: give --salt or --hash')
  if (options.salt !== undefined && !/^\d{1,78}$/.test(options.salt))
    return fail(
      options,
      EXIT_CODE.usage,
      '--salt: not a salt; expected the decimal number that `rfq list` shows',
    )
  if (options.hash !== undefined && !HASH.test(options.hash))
    return fail(options, EXIT_CODE.usage, '--hash: not an order hash; expected 0x and 64 hex digits')
  await cancel(options)
}

/** Cancels every open order on chain. */
export async function rfqCancelAll(options: OperateOptions): Promise<void> {
  // A running daemon cancels all of them even if its configuration file has become invalid.
  const contact = await contactOrExplain(options, { isStop: true })
  if (contact === null) return
  const outcome = await sendToDaemon(contact, options, null)
  if (outcome !== null) return printOutcome(options, outcome, { steps: [] })
  const { config } = options
  if (config === undefined) return printOutcome(options, unreached(contact, 'cancelOrders'))
  await cancel({ ...options, config })
}

async function cancel(options: RfqCancelOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  if (config.core.rfq === null) return fail(options, EXIT_CODE.refused, NO_SELF_CUSTODY)
  const steps = custodySteps(options)
  await printStoreError(options, async () => {
    printOutcome(options, await execute(config, options, steps), { steps: steps.reported })
  })
}

async function execute(
  config: LoadedConfig,
  options: RfqCancelOptions,
  steps: CustodySteps,
): Promise<Outcome> {
  const common = { command: 'cancelOrders', position: config.core.name, via: 'chain' } as const
  const salt = await saltOf(config, options)
  if (!salt.ok) return { ...common, ...salt.error }
  const salts = salt.value === null ? null : [salt.value]
  const outcome = salts === null ? null : await sendToDaemon(contactOf(config), options, salts)
  if (outcome !== null) return outcome
  const end = await withStoreLock(config, () => cancelHere(config, salt.value, steps))
  return { ...common, ...end }
}

function sendToDaemon(
  contact: Contact,
  { reason: why }: Pick<OperateOptions, 'reason'>,
  salts: readonly string[] | null,
) {
  return commandDaemon(contact, 'cancelOrders', { who: operatorName(), why, salts })
}

/** Returns the salt of the selected order; null = all. A hash is looked up among the open orders. */
async function saltOf(
  config: LoadedConfig,
  { salt, hash }: RfqCancelOptions,
): Promise<Result<string | null, CommandResult>> {
  if (hash === undefined) return ok(salt ?? null)
  const seen = await readPosition(config)
  if ('why' in seen) return err({ exitCode: seen.exitCode, answer: seen.why })
  const order = seen.view.rfq?.orders.find((one) => one.hash === hash.toLowerCase())
  return order === undefined ? err(notOwed(`hash ${hash}`)) : ok(order.salt)
}

async function cancelHere(
  config: LoadedConfig,
  salt: string | null,
  steps: CustodySteps,
): Promise<CommandResult> {
  const owed = await openOrdersInStore(config)
  if (!owed.ok) return owed.error
  const chosen = owed.value.filter(({ order }) => salt === null || order.salt.toString() === salt)
  if (chosen.length === 0)
    return salt === null ? { exitCode: EXIT_CODE.ok, answer: 'no order is open' } : notOwed(`salt ${salt}`)
  const clients = await openCustodyClients(config)
  if (!clients.ok) return clients.error
  try {
    const seen = await ordersOnChain(clients.value, owed.value)
    if (!seen.ok) return seen.error
    const unwanted = chosen.filter((one) => seen.value.standing.includes(one))
    if (unwanted.length === 0) return over(chosen)
    const failed =
      (await cancelOnChain(clients.value, unwanted, seen.value, steps)) ??
      (await untilEnded(clients.value, unwanted, CANCEL_WITHIN_MS, steps))
    return failed ?? cancelled(unwanted)
  } finally {
    await clients.value.close()
  }
}

function cancelled(orders: readonly OpenOrder[]): CommandResult {
  const what = orders.length === 1 ? 'the order is' : `${orders.length} orders are`
  return {
    exitCode: EXIT_CODE.ok,
    answer: `${what} cancelled on chain; no daemon runs, so the next start reads and books it`,
  }
}

function over(orders: readonly OpenOrder[]): CommandResult {
  const what = orders.length === 1 ? 'the order' : `all ${orders.length} orders`
  return {
    exitCode: EXIT_CODE.ok,
    answer: `${what} can no longer be filled on chain; nothing was sent`,
  }
}

function notOwed(what: string): CommandResult {
  return {
    exitCode: EXIT_CODE.refused,
    answer: `no order with ${what} is open; \`mizani rfq list\` shows them all`,
  }
}
