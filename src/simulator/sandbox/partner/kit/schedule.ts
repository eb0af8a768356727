import type { Ms } from '../../../../base/time.ts'
import type { Partner } from '../model/partner.ts'

/**
 * What happens to a resource by itself, `delayMs` from now or when `settlePending` brings it forward. A later
 * call with the same id replaces it.
 */
export function schedule(partner: Partner, id: string, delayMs: Ms, run: () => void): void {
  const { pending, world } = partner
  pending.set(id, run)
  world.venue.timeline.add(world.venue.now + delayMs, () => {
    if (pending.get(id) !== run) return
    pending.delete(id)
    run()
  })
}

/** Everything that is on its way happens now. What it begins is on its way from now. */
export function settlePending(partner: Partner): number {
  const due = [...partner.pending]
  for (const [id, run] of due) {
    partner.pending.delete(id)
    run()
  }
  return due.length
}

/** The settlement of one resource now; false where it was not on its way. */
export function settleNow(partner: Partner, id: string): boolean {
  const run = partner.pending.get(id)
  if (run === undefined) return false
  partner.pending.delete(id)
  run()
  return true
}

/** It will no longer happen by itself. */
export function unschedule(partner: Partner, id: string): void {
  partner.pending.delete(id)
}
