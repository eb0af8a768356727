import { decodeJson } from '../../base/codec.ts'
import { errorText } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { Contact } from '../../daemon/config/load/contact.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { corruptStore, StoreReadError } from '../../store/failure.ts'
import { openReader } from '../../store/open-reader.ts'
import { timeText } from '../../base/text/times.ts'
import { createTreasury, type Treasury } from '../../treasury/core/treasury.ts'
import type { TreasuryEvent } from '../../treasury/model/event.ts'
import type { TreasuryObservation } from '../../treasury/model/observation.ts'
import { plan } from '../../treasury/policy/plan.ts'
import { webhooksSchema, type WebhooksView } from '../../daemon/view/treasury-reading.ts'
import { buildTreasuryView, treasuryViewSchema, type TreasuryView } from '../../daemon/view/treasury-view.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { askDaemon } from '../operator/daemon-client.ts'
import { contactOf, daemonUrl } from '../../daemon/config/load/contact.ts'
import { placeText } from '../../store/place.ts'

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
  if ('why' in stored) return stored
  const { treasury } = stored
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

type StoredTreasury = {
  readonly treasury: Treasury
  readonly observations: readonly TreasuryObservation[]
  readonly events: readonly TreasuryEvent[]
}

/** Folds the treasury's whole journal, with all observations, up to a moment. Throws StoreReadError. */
export function storedTreasury(
  { store }: Pick<LoadedConfig, 'store'>,
  until: Ms = Infinity,
): StoredTreasury | TreasuryUnavailable {
  const reader = openReader(store.place)
  if (!reader.ok) return { exitCode: EXIT_CODE.failed, why: reader.error.message }
  try {
    const treasury = createTreasury()
    const observations: TreasuryObservation[] = []
    const events: TreasuryEvent[] = []
    for (const { seq, t, body } of reader.value.treasury()) {
      if (t >= until) break
      const event = eventOf(body, seq, placeText(store.place))
      events.push(event)
      observations.push(...treasury.process(event).observations)
    }
    return { treasury, observations, events }
  } finally {
    reader.value.close()
  }
}

function eventOf(body: string, seq: number, where: string): TreasuryEvent {
  try {
    return decodeJson(body) as TreasuryEvent
  } catch (error) {
    const why = `treasury event ${seq} does not parse: ${errorText(error)}`
    throw new StoreReadError(corruptStore(where, why))
  }
}
