import { happens } from '../../market/fill-rows.ts'
import type { Partner, WebhookType } from '../model/partner.ts'

/** A reordered event waits this long, so that later ones overtake it. */
const REORDERED_MS = 2_000

/**
 * An event leaves: once, or as the fault options have it twice, late, after its successors, or never. The
 * server signs and posts it; in virtual time it stands in the outbox.
 */
export function emit(partner: Partner, type: WebhookType, data: Readonly<Record<string, unknown>>): void {
  const { world, webhookSecret: secret, webhookUrl: url, isLive } = partner
  const { random, venue } = world
  const faults = world.settings.webhooks
  const text = JSON.stringify({ type, data: { ...data, livemode: isLive } })
  if (happens(faults.lost, random)) return
  const times = happens(faults.duplicate, random) ? 2 : 1
  for (let time = 0; time < times; time++) {
    const late = happens(faults.late, random) ? faults.lateMs : 0
    const waitMs = late + (happens(faults.reordered, random) ? REORDERED_MS : 0)
    const leave = () => void world.outbox.push({ type, url, secret, at: venue.now, text })
    if (waitMs === 0) leave()
    else venue.timeline.add(venue.now + waitMs, leave)
  }
}
