import type { FillModel } from '../fill-model.ts'

/**
 * Runs the venue's router again (venue.md, Routing): recorded takers go to the lowest spread, ours or the
 * best recorded other one; within the tolerance to whoever was filled least recently. Takers do not mind
 * the price. Where turns were taken when it was recorded, a recorded fill was our turn and is so again.
 * Where the others are not known, being wider than the recorded quote loses the fill.
 */
export function createRouted(): FillModel {
  let lastWasOurs = false
  const goesTo = (ours: boolean): boolean => {
    lastWasOurs = ours
    return ours
  }
  return {
    name: 'routed',
    usesRecorded: true,
    takes({ recordedBps }, { ownBps, otherBps, toleranceBps }) {
      if (otherBps === null) return goesTo(recordedBps === null || ownBps <= recordedBps)
      if (ownBps > otherBps + toleranceBps) return goesTo(false)
      if (otherBps > ownBps + toleranceBps) return goesTo(true)
      const wasOurTurn = recordedBps !== null && Math.abs(recordedBps - otherBps) <= toleranceBps
      return goesTo(wasOurTurn || !lastWasOurs)
    },
  }
}
