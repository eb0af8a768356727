import type { CommandResult } from '../output/print.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { OpenOrder } from '../../rfq/open-order.ts'
import { planCancels } from '../../rfq/plan-cancels.ts'
import { expiresAt } from '../../rfq/open-order.ts'
import { type CustodyClients, type CustodySteps, failedEnd } from './clients.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { existsSync } from 'node:fs'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { openReader } from '../../store/open-reader.ts'
import { storeFiles } from '../../store/store-files.ts'
import { storedPosition } from '../inspect/position.ts'
import { ageText } from '../../text/times.ts'

/** What the chain says of orders now. */
export type OnChain = {
  /** Those that a taker can still fill. */
  readonly standing: readonly OpenOrder[]
  /** The chain's own time. */
  readonly now: Ms
  readonly gasPriceWei: bigint
}

const TELL_EVERY_MS = 15_000

/** Which of these can still be filled: by the chain's word and the chain's clock, nobody else's. */
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
 * Takes orders back, in as few transactions as they cost least: one for a pair where that kills nothing
 * that is `kept`. Resolves once all are in the network.
 */
export async function cancelOnChain(
  desk: CustodyClients,
  unwanted: readonly OpenOrder[],
  { standing, now, gasPriceWei }: OnChain,
  steps: CustodySteps,
): Promise<CommandResult | null> {
  const kept = standing.filter((one) => !unwanted.includes(one))
  // A person says so: what the policy says of the daemon's own decisions does not count here.
  const settings = { ...desk.settings, cancel: { ...desk.settings.cancel, policy: 'always' } } as const
  const choices = planCancels({ settings, unwanted, kept, must: true, fairValue: null, gasPriceWei, now })
  for (const { cancel, orders } of choices) {
    const what = `${orders.length} ${orders.length === 1 ? 'order' : 'orders'}`
    const sent = await desk.chain.cancel(cancel)
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

/** Waits until none of them can be filled any more, or until that takes longer than it may. */
export async function untilEnded(
  desk: CustodyClients,
  owed: readonly OpenOrder[],
  withinMs: Ms,
  steps: CustodySteps,
): Promise<CommandResult | null> {
  const deadline = performance.now() + withinMs
  let nextTold = performance.now()
  for (;;) {
    const seen = await ordersOnChain(desk, owed)
    if (seen.ok && seen.value.standing.length === 0) return null
    if (performance.now() > deadline) {
      if (!seen.ok) return seen.error
      const left = seen.value.standing.map(({ order }) => order.salt).join(', ')
      return {
        exitCode: EXIT_CODE.failed,
        answer: `the chain still shows as fillable, after ${ageText(withinMs)}: ${left}; run this again`,
      }
    }
    if (performance.now() >= nextTold) {
      nextTold += TELL_EVERY_MS
      steps.wait(seen.ok ? standingText(seen.value) : seen.error.answer)
    }
    await new Promise((resolve) => setTimeout(resolve, desk.settings.pollMs))
  }
}

function standingText({ standing, now }: OnChain): string {
  const last = Math.max(...standing.map(expiresAt))
  return `${standing.length} can still be filled; the last of them expires in ${ageText(last - now)}`
}

/** Every order that the store remembers as owed; none where there is no store. Throws StoreReadError. */
export async function openOrdersInStore(
  config: LoadedConfig,
): Promise<Result<readonly OpenOrder[], CommandResult>> {
  const { path } = config.store
  if (!existsSync(storeFiles(path).database)) return ok([])
  const reader = openReader(path)
  if (!reader.ok) return err({ exitCode: EXIT_CODE.failed, answer: reader.error.message })
  try {
    const stored = await storedPosition(config, reader.value)
    return ok(stored === null ? [] : Object.values(stored.state.rfq.owed))
  } finally {
    reader.value.close()
  }
}
