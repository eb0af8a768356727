import type { Ms } from '../../../base/time.ts'
import { exitSettled, type ExitReport } from '../../../core/engine/lifecycle/exit-report.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import { isPoll } from '../../../core/engine/requests/requests.ts'
import { pauseFor, SYSTEM_TIMING, type Timing } from '../../../base/threads/timing.ts'
import type { PositionLoop } from './position-loop.ts'

type Leaving = {
  readonly loop: Pick<PositionLoop, 'snapshot'>
  readonly stateNow: () => EngineState
  /** Ends all events and effects. */
  readonly stop: () => void
  /** Replaced only in simulations. */
  readonly timing?: Timing
}

const POLL_MS: Ms = 20

/** Waits until the venue confirms the exit of a position, then stops it. */
export async function leavePosition(leaving: Leaving, withinMs: Ms): Promise<ExitReport> {
  const { loop, stateNow, stop, timing } = leaving
  await untilTrue(() => exitSettled(stateNow()).settled, withinMs, timing)
  loop.snapshot()
  stop()
  return exitSettled(stateNow())
}

/** A write ends within a second. An activation may take longer; the next holder determines its outcome. */
const LAST_WRITE_MS: Ms = 1_500

/**
 * Stops the position between two writes and leaves its quote unchanged for the next daemon. As after a crash, the journal records no end:
 * the next holder reads everything back.
 */
export async function handOverPosition(leaving: Leaving, withinMs: Ms): Promise<ExitReport> {
  const { loop, stateNow, stop, timing } = leaving
  await untilTrue(() => !isWriting(stateNow()), Math.min(withinMs, LAST_WRITE_MS), timing)
  loop.snapshot()
  stop()
  const { confirmed, status } = stateNow().quoting
  const spread =
    confirmed === null ? 'no spread confirmed' : `bid ${confirmed.bidBps} ask ${confirmed.askBps} bps`
  const standing = status === 'confirmed' ? spread : `quote ${status}`
  return { settled: true, text: `handed over to the standby daemon with the quote unchanged (${standing})` }
}

function isWriting({ requests }: EngineState): boolean {
  return Object.values(requests).some((request) => !isPoll(request) && !READS.includes(request.what))
}

const READS: readonly string[] = ['solver', 'chainRead']

/** Resolves in the same turn in which the condition becomes true. */
async function untilTrue(isTrue: () => boolean, withinMs: Ms, timing = SYSTEM_TIMING): Promise<void> {
  const now = () => timing.moment().steadyMs
  const deadline = now() + withinMs
  while (!isTrue() && now() < deadline) await pauseFor(timing, POLL_MS)
}
