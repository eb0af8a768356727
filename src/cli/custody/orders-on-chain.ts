import type { CommandResult } from '../output/print.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { OpenOrder } from '../../core/rfq/open-order.ts'
import { planCancels } from '../../core/rfq/plan-cancels.ts'
import { expiresAt } from '../../core/rfq/open-order.ts'
import { type CustodyClients, type CustodySteps, failedEnd } from './clients.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { existsSync } from 'node:fs'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { openReader } from '../../store/open-reader.ts'
import { storeFiles } from '../../store/store-files.ts'
import { storedPosition } from '../../daemon/runtime/position/stored-position.ts'
import { ageText } from '../../base/text/times.ts'

/** The states of orders on the chain now. */
type OnChain = {
  /** Orders that a taker can still fill. */
  readonly standing: readonly OpenOrder[]
  /** The chain's own time. */
  readonly now: Ms
  readonly gasPriceWei: bigint
}

const REPORT_EVERY_MS = 15_000

/** Returns the orders that can still be filled, judged only by the chain's states and the chain's clock. */
export async function ordersOnChain(
  { chain }: CustodyClients,
  owed: readonly OpenOrder[],
): Promise<Result<OnChain, CommandResult>> {
  const reading = await chain.read(
    owed.map(({ order }) => order),
    null,
  )
  if (!reading.ok) return err(failedEnd(reading.error, 'reading the open orders from the chain'))
  const { head, orders, gasPriceWei } = reading.value
  const standing = owed.filter((one, index) => {
    const status = orders[index]?.status
    return status !== 'FILLED' && status !== 'CANCELLED' && expiresAt(one) > head.t
  })
  return ok({ standing, now: head.t, gasPriceWei })
}

/**
 * Cancels orders with the cheapest set of transactions: one for a whole pair if that cancels no order in `kept`.
 * Resolves once all are in the network.
 */
export async function cancelOnChain(
  clients: CustodyClients,
  unwanted: readonly OpenOrder[],
  { standing, now, gasPriceWei }: OnChain,
  steps: CustodySteps,
): Promise<CommandResult | null> {
  const kept = standing.filter((one) => !unwanted.includes(one))
  // An operator's command: the policy of the daemon's own cancellations does not apply.
  const settings = { ...clients.settings, cancel: { ...clients.settings.cancel, policy: 'always' } } as const
  const choices = planCancels({ settings, unwanted, kept, must: true, fairValue: null, gasPriceWei, now })
  for (const { cancel, orders } of choices) {
    const what = `${orders.length} ${orders.length === 1 ? 'order' : 'orders'}`
    const sent = await clients.chain.cancel(cancel)
    if (!sent.ok) return failedEnd(sent.error, `cancelling ${what}`)
    const how = cancel.kind === 'pair' ? 'all of their pair at once' : 'one by one'
    steps.report(
      'cancel',
      true,
      `the cancellation of ${what} is on its way, ${how} (transaction ${sent.value.txHash})`,
    )
  }
  return null
}

/** Waits until none of them can be filled, or until the time limit. */
export async function untilEnded(
  clients: CustodyClients,
  owed: readonly OpenOrder[],
  withinMs: Ms,
  steps: CustodySteps,
): Promise<CommandResult | null> {
  const deadline = performance.now() + withinMs
  let nextReport = performance.now()
  for (;;) {
    const seen = await ordersOnChain(clients, owed)
    if (seen.ok && seen.value.standing.length === 0) return null
    if (performance.now() > deadline) {
      if (!seen.ok) return seen.error
      const left = seen.value.standing.map(({ order }) => order.salt).join(', ')
      return {
        exitCode: EXIT_CODE.failed,
        answer: `the chain still shows as fillable, after ${ageText(withinMs)}: ${left}; run this again`,
      }
    }
    if (performance.now() >= nextReport) {
      nextReport += REPORT_EVERY_MS
      steps.wait(seen.ok ? standingText(seen.value) : seen.error.answer)
    }
    await new Promise((resolve) => setTimeout(resolve, clients.settings.pollMs))
  }
}

function standingText({ standing, now }: OnChain): string {
  const last = Math.max(...standing.map(expiresAt))
  return `${standing.length} can still be filled; the last of them expires in ${ageText(last - now)}`
}

/** Returns every open order in the store; empty without a store. Throws StoreReadError. */
export async function openOrdersInStore(
  config: LoadedConfig,
): Promise<Result<readonly OpenOrder[], CommandResult>> {
  const { place } = config.store
  if (typeof place === 'string' && !existsSync(storeFiles(place).database)) return ok([])
  const reader = openReader(place)
  if (!reader.ok) return err({ exitCode: EXIT_CODE.failed, answer: reader.error.message })
  try {
    const stored = await storedPosition(config, reader.value)
    return ok(stored === null ? [] : Object.values(stored.state.rfq.openOrders))
  } finally {
    reader.value.close()
  }
}
