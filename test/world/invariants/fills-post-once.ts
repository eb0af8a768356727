import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import { violated, type Invariant } from '../step.ts'
import type { Tally } from '../tally.ts'

/** A fill is posted once indefinitely, whatever is repeated, reordered, late, killed or replayed; and it is real. */
export function fillsPostOnce(model: VenueModel, tally: Tally): Invariant {
  const posted = new Map<string, number>()
  const real = new Set<string>()
  return {
    check({ seq, audit }) {
      for (const observation of audit.observations) {
        if (observation.type !== 'fillPosted') continue
        const { id } = observation.fill
        if (posted.has(id)) violated(`fill ${id} was posted at event ${posted.get(id)} and again`)
        posted.set(id, seq)
        tally.fills += 1
        const { fills } = model.state.ours
        for (let index = real.size; index < fills.length; index++) real.add(fills[index]?.id ?? '')
        if (!real.has(id)) violated(`fill ${id} was posted and never happened`)
      }
    },
    rewind(seq) {
      for (const [id, at] of posted) if (at > seq) posted.delete(id)
    },
  }
}
