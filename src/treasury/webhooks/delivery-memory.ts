import { HOUR_MS, type Ms } from '../../base/time.ts'
import type { WebhookDelivery } from './delivery.ts'

/** `kept` = durable now; `repeated` = durable before; `lost` = not durable, so the venue must repeat it. */
export type Taken = 'kept' | 'repeated' | 'lost'

type DeliveryMemory = {
  /** Stores a delivery once, even if copies arrive at the same time. */
  readonly take: (delivery: WebhookDelivery) => Promise<Taken>
  /** Loads the deliveries of an earlier process. */
  readonly remember: (
    delivery: Pick<WebhookDelivery, 'event' | 'resourceId' | 'status' | 'hash'>,
    t: Ms,
  ) => void
}

type DeliveryMemoryParts = {
  readonly now: () => Ms
  /** Resolves with whether the delivery is durable; never rejects. */
  readonly keep: (delivery: WebhookDelivery) => Promise<boolean>
}

/** The contract does not define how long the venue repeats; other venues stop after at most 75 hours. */
const KEPT_MS: Ms = 76 * HOUR_MS
const MOST = 20_000

type Known = { readonly t: Ms; readonly isDurable: Promise<boolean> }

/**
 * Deduplicates deliveries, which have no id, by the body's hash and by type, resource and status, because the venue may
 * write the same fact in other bytes.
 */
export function createDeliveryMemory({ now, keep }: DeliveryMemoryParts): DeliveryMemory {
  /** In order of arrival. */
  const known = new Map<string, Known>()

  function note(keys: readonly string[], one: Known): void {
    for (const key of keys) known.set(key, one)
    const oldest = one.t - KEPT_MS
    for (const [key, { t }] of known) {
      if (t >= oldest && known.size <= MOST) return
      known.delete(key)
    }
  }

  return {
    async take(delivery) {
      const keys = keysOf(delivery)
      const before = keys.map((key) => known.get(key)).find((one) => one !== undefined)
      if (before !== undefined) return (await before.isDurable) ? 'repeated' : 'lost'
      const one: Known = { t: now(), isDurable: keep(delivery) }
      note(keys, one)
      if (await one.isDurable) return 'kept'
      for (const key of keys) known.delete(key)
      return 'lost'
    },
    remember(delivery, t) {
      if (t >= now() - KEPT_MS) note(keysOf(delivery), { t, isDurable: Promise.resolve(true) })
    },
  }
}

function keysOf({
  event,
  resourceId,
  status,
  hash,
}: Pick<WebhookDelivery, 'event' | 'resourceId' | 'status' | 'hash'>): readonly string[] {
  return resourceId === null ? [hash] : [hash, JSON.stringify([event, resourceId, status])]
}
