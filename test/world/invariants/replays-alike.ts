import { createCalendar } from '../../../src/daemon/runtime/position/calendar.ts'
import { recover } from '../../../src/daemon/runtime/position/recover-position.ts'
import { worldStrategy } from '../../support/world-strategies.ts'
import type { Daemon } from '../daemon.ts'
import { violated } from '../step.ts'

/** The whole journal from scratch decides what was decided live, through every restart. */
export function checkReplay(daemon: Daemon): void {
  const replayed = recover({
    snapshot: null,
    tail: daemon.journal(),
    suspensions: [],
    strategyFor: worldStrategy,
    calendar: createCalendar(),
  })
  if (replayed.digest !== daemon.digest()) violated('the replay of the journal decides otherwise')
}
