import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { LoadedTreasury } from '../../config/load/treasury.ts'
import type { TreasuryEvent } from '../../../treasury/model/event.ts'
import { createDeliveryMemory } from '../../../treasury/webhooks/delivery-memory.ts'
import {
  openWebhookListener,
  type WebhookListener,
  type WebhookRefusal,
} from '../../../treasury/webhooks/listener.ts'
import type { TreasuryLoop } from './treasury-loop.ts'

type WebhookSeen = Extract<TreasuryEvent, { readonly type: 'webhookSeen' }>

type WebhookIntakeParts = {
  readonly settings: NonNullable<LoadedTreasury['webhooks']>
  readonly now: () => Ms
  /** The machine's clock. */
  readonly wall: () => Ms
  readonly loop: Pick<TreasuryLoop, 'submitDurably'>
  /** The webhooks that earlier processes stored, oldest first. */
  readonly before: readonly WebhookSeen[]
  /** Called at most once in ten minutes for each kind of refusal. */
  readonly alert: (code: 'treasury-webhook-refused', message: string) => void
  readonly warn: (words: string) => void
}

const ALERT_EVERY_MS = 10 * MINUTE_MS
const DOWN = 'webhooks are not received: the treasury learns the same from its polls, only later'

const MEANS: Readonly<Record<WebhookRefusal, string>> = {
  forged: 'none of our secrets signed it: events are forged, or the secret was rotated',
  stale: 'it was signed too long ago or in the future: a replay, or a wrong clock',
  headers: 'its signature or timestamp is missing, repeated or malformed',
  flood: 'too many webhooks arrived',
  size: 'it was larger than 64 kB',
  broken: 'its body did not arrive',
  method: 'it was not a POST',
}

/** Opens the listener and submits its events to the loop. Resolves with null if it cannot open; polling continues. */
export async function openWebhookIntake(parts: WebhookIntakeParts): Promise<WebhookListener | null> {
  const { settings, now, wall, loop, before, alert, warn } = parts
  const memory = createDeliveryMemory({
    now,
    keep: (delivery) => loop.submitDurably({ type: 'webhookSeen', t: now(), ...delivery }),
  })
  for (const event of before) memory.remember(event, event.t)
  const alerts = new Map<WebhookRefusal, { at: Ms; count: number }>()

  function onRefused(why: WebhookRefusal): void {
    const known = alerts.get(why)
    if (known !== undefined && wall() - known.at < ALERT_EVERY_MS) {
      known.count += 1
      return
    }
    const more = known === undefined || known.count === 0 ? '' : `; ${known.count} more since the last alert`
    alerts.set(why, { at: wall(), count: 0 })
    alert('treasury-webhook-refused', `a webhook was refused (${why}): ${MEANS[why]}${more}`)
  }

  const opened = await openWebhookListener({ settings, wall, take: memory.take, onRefused })
  if (opened.ok) return opened.value
  warn(`${opened.error}; ${DOWN}`)
  return null
}
