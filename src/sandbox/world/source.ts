import type { Ms } from '../../base/time.ts'
import type { Rate } from '../../money/rate.ts'
import type { WorldStep } from './world.ts'

/** One cause of steps, in order of time. Infinity when it has no more. */
export type Source = {
  peekAt(): Ms
  next(seenMid: Rate): WorldStep
}
