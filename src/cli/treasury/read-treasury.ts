import { type Contact, contactOf, daemonUrl } from '../../daemon/config/load/contact.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { timeText } from '../../base/text/times.ts'
import { plan } from '../../treasury/policy/plan.ts'
import { webhooksSchema, type WebhooksView } from '../../daemon/view/treasury-reading.ts'
import { buildTreasuryView, treasuryViewSchema, type TreasuryView } from '../../daemon/view/treasury-view.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { askDaemon } from '../operator/daemon-client.ts'
import { placeText } from '../../store/place.ts'
import { storedTreasury } from '../../daemon/runtime/treasury/following/stored-treasury.ts'

export type TreasuryRead = {
  readonly view: TreasuryView
  /** States that the figures come from the store, and their time; null = they come from the daemon. */
  readonly note: string | null
  /** Counters of the daemon's listener; null = no listener, or the figures come from the store. */
  readonly webhooks: WebhooksView | null
}
export type TreasuryUnavailable = { readonly exitCode: number; readonly why: string }

/** The fields that identify a treasury's view; the others may differ by version. */
const OURS = treasuryViewSchema
  .pick({ schema: true, now: true, mode: true })
  .extend({ webhooks: webhooksSchema.nullable().catch(null) })

/** Returns the treasury from the running daemon; null = no daemon shows it. */
export async function treasuryOfDaemon(contact: Contact): Promise<TreasuryRead | TreasuryUnavailable | null> {
  const query = contact.name === null ? '' : `?position=${encodeURIComponent(contact.name)}`
  const answer = await askDaemon(contact, 'GET', `/api/v1/treasury${query}`)
  const ours = answer?.status === 200 ? OURS.safeParse(answer.body) : null
  if (answer !== null && ours?.success === true)
    return { view: answer.body as TreasuryView, note: null, webhooks: ours.data.webhooks }
  if (answer?.status === 401 || answer?.status === 403) {
    const { message } = answer.body as { readonly message?: string }
    const why = `the daemon rejects the request: ${message ?? 'check http.token'}`
    return { exitCode: EXIT_CODE.usage, why }
  }
  return null
}

/** Reads the treasury from the running daemon, otherwise from the store. Throws StoreReadError. */
export async function readTreasury(config: LoadedConfig): Promise<TreasuryRead | TreasuryUnavailable> {
  const shown = await treasuryOfDaemon(contactOf(config))
  if (shown !== null) return shown
  const stored = storedTreasury(config)
  if (!stored.ok) return { exitCode: EXIT_CODE.failed, why: stored.error }
  const { treasury } = stored.value
  const state = treasury.state()
  if (state === null)
    return {
      exitCode: EXIT_CODE.failed,
      why: `no treasury has run with the store ${placeText(config.store.place)}: see treasury in the configuration, and start \`run\``,
    }
  const input = treasury.planInput(state.now)
  const view = buildTreasuryView(state, input === null ? null : plan(input), state.now)
  return {
    view,
    note: `no daemon shows it at ${daemonUrl(config)}; from the store, as of ${timeText(state.now)}`,
    webhooks: null,
  }
}
