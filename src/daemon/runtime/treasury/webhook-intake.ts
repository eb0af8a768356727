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
  /** The machine's clock as it is. */
  readonly wall: () => Ms
  readonly loop: Pick<TreasuryLoop, 'submitDurably'>
  /** What earlier processes kept, oldest first. */
  readonly before: readonly WebhookSeen[]
  /** Refusals of one kind within ten minutes are one alert. */
  readonly alert: (code: 'treasury-webhook-refused', message: string) => void
  readonly warn: (words: string) => void
}

const ALERT_EVERY_MS = 10 * MINUTE_MS
const DOWN = 'webhooks are not received: the treasury polls, so that nothing is lost, only later'

const MEANS: Readonly<Record<WebhookRefusal, string>> = {
  forged: 'no secret of ours signed it: someone forges events, or the secret was rotated',
  stale: 'it was signed too long ago or in the future: a replay, or a clock that is wrong',
  headers: 'its signature or timestamp is missing, repeated or of no known form',
  flood: 'more came than a venue sends',
  size: 'it was larger than 64 kB',
  broken: 'its body did not arrive',
  method: 'it was no POST',
}

/** Opens the listener and hands what it keeps to the loop. Null where it cannot open: polling continues without it. */
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
    const more =
      known === undefined || known.count === 0 ? '' : `; ${known.count} more of them since the last alert`
    alerts.set(why, { at: wall(), count: 0 })
    alert('treasury-webhook-refused', `a webhook was refused (${why}): ${MEANS[why]}${more}`)
  }

  const opened = await openWebhookListener({ settings, wall, take: memory.take, onRefused })
  if (opened.ok) return opened.value
  warn(`${opened.error}; ${DOWN}`)
  return null
}
