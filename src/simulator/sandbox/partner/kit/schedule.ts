import type { Partner } from '../model/partner.ts'
import type { Fate } from '../model/payments.ts'

/**
 * Runs a step of a resource `settleMs` from now, or earlier when `settlePending` brings it forward. A later call
 * with the same id replaces it.
 */
export function schedule(partner: Partner, id: string, run: () => void): void {
  const { pending, world } = partner
  pending.set(id, run)
  world.venue.timeline.add(world.venue.now + world.settings.settleMs, () => {
    if (pending.get(id) !== run) return
    pending.delete(id)
    run()
  })
}

/** Schedules the end of a payment by its fate. A fate without an entry leaves the payment open. */
export function scheduleEnd<T extends { readonly id: string }>(
  partner: Partner,
  payment: T,
  fate: Fate,
  ends: Partial<Record<Fate, (partner: Partner, payment: T) => void>>,
): void {
  const end = ends[fate]
  if (end !== undefined) schedule(partner, payment.id, () => end(partner, payment))
}

/** Runs every scheduled step now and returns their number. Steps that these schedule stay pending. */
export function settlePending(partner: Partner): number {
  const due = [...partner.pending.keys()]
  for (const id of due) settleNow(partner, id)
  return due.length
}

/** Runs the step of one resource now; false if none was scheduled. */
export function settleNow(partner: Partner, id: string): boolean {
  const run = partner.pending.get(id)
  if (run === undefined) return false
  partner.pending.delete(id)
  run()
  return true
}
