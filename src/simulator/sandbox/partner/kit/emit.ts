import type { Answer } from '../../api/request.ts'
import { happens } from '../../market/fill-rows.ts'
import { count, strikes } from '../../state.ts'
import type { Partner, WebhookType } from '../model/partner.ts'
import { withNumbers } from './request.ts'
import { settleNow } from './schedule.ts'

const MOST_KEPT = 10_000

/** A reordered event waits this long, so that later events overtake it. */
const REORDERED_MS = 2_000

/**
 * Puts an event into the outbox, from which the server signs and posts it. The fault options repeat, delay, reorder
 * or lose it.
 */
export function emit(partner: Partner, type: WebhookType, data: Readonly<Record<string, unknown>>): void {
  const { world, webhookSecret: secret, webhookUrl: url, isLive } = partner
  const { random, venue } = world
  const faults = world.settings.webhooks
  const content = withNumbers({ ...data, livemode: isLive })
  const text = JSON.stringify(
    venue.options.venue === 'measured'
      ? { event: type, data: content, timestamp: Math.floor(venue.now / 1_000) }
      : { type, data: content },
  )
  if (strikes(venue, 'webhook lost', faults.lost, random)) return
  const times = strikes(venue, 'webhook repeated', faults.duplicate, random) ? 2 : 1
  for (let time = 0; time < times; time++) {
    const late = strikes(venue, 'webhook late', faults.late, random) ? faults.lateMs : 0
    const waitMs = late + (strikes(venue, 'webhook displaced', faults.reordered, random) ? REORDERED_MS : 0)
    const leave = () => {
      // A model without a server has no reader of the outbox.
      if (world.outbox.length >= MOST_KEPT) world.outbox.shift()
      world.outbox.push({ type, url, secret, at: venue.now, text })
    }
    if (waitMs === 0) leave()
    else venue.timeline.add(venue.now + waitMs, leave)
  }
}

/** Delay of an answer that follows the event of its own request. */
const ANSWERED_AFTER_MS = 1_500

/** Returns the answer; under the fault `beforeAnswer` the payment ends, and its event leaves, before the answer. */
export function answerAfterEvent(partner: Partner, id: string, answer: Answer): Answer {
  const { settings, random, venue } = partner.world
  if (!happens(settings.webhooks.beforeAnswer, random) || !settleNow(partner, id)) return answer
  count(venue, 'fault webhook before its answer')
  return { ...answer, delayMs: (answer.delayMs ?? 0) + ANSWERED_AFTER_MS }
}
