import type { Answer } from '../../api/request.ts'
import { happens } from '../../market/fill-rows.ts'
import { count, strikes } from '../../state.ts'
import { settleNow } from '../kit/schedule.ts'
import type { Partner, WebhookType } from '../model/partner.ts'

const MOST_KEPT = 10_000

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
  const content = { ...data, livemode: isLive }
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
      // No one may be taking them, for days.
      if (world.outbox.length >= MOST_KEPT) world.outbox.shift()
      world.outbox.push({ type, url, secret, at: venue.now, text })
    }
    if (waitMs === 0) leave()
    else venue.timeline.add(venue.now + waitMs, leave)
  }
}

/** An answer that comes after the event it announces waits this long. */
const ANSWERED_AFTER_MS = 1_500

/** The answer as it is; with the fault `beforeAnswer`, what is on its way ends first, and so does its event. */
export function answerAfterEvent(partner: Partner, id: string, answer: Answer): Answer {
  const { settings, random, venue } = partner.world
  if (!happens(settings.webhooks.beforeAnswer, random) || !settleNow(partner, id)) return answer
  count(venue, 'fault webhook before its answer')
  return { ...answer, delayMs: (answer.delayMs ?? 0) + ANSWERED_AFTER_MS }
}
