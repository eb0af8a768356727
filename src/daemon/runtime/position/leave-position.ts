import type { Ms } from '../../../base/time.ts'
import { exitSettled, type ExitReport } from '../../../core/engine/lifecycle/exit-report.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import { isPoll } from '../../../core/engine/requests/requests.ts'
import { pauseFor, SYSTEM_TIMING, type Timing } from '../../../base/threads/timing.ts'
import type { PositionLoop } from './loop.ts'

type Leaving = {
  readonly loop: Pick<PositionLoop, 'snapshot'>
  readonly stateNow: () => EngineState
  /** No further events, no further effects. */
  readonly stop: () => void
  /** Only a simulation has another one. */
  readonly timing?: Timing
}

const LOOK_MS: Ms = 20

/** Waits for what the venue confirms of a position that leaves, and stops it. */
export async function leavePosition(leaving: Leaving, withinMs: Ms): Promise<ExitReport> {
  const { loop, stateNow, stop, timing } = leaving
  await untilTrue(() => exitSettled(stateNow()).settled, withinMs, timing)
  loop.snapshot()
  stop()
  return exitSettled(stateNow())
}

/** A write ends within a second. An activation may take longer; the next holder finds out its outcome. */
const LAST_WRITE_MS: Ms = 1_500

/**
 * Stops the position between two writes and leaves its quote as it stands, for the daemon that takes over. The journal has no
 * end of it, as after a crash: the next holder reads everything back.
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
  return { settled: true, text: `left to the daemon that stands by, the quote as it stands (${standing})` }
}

function isWriting({ requests }: EngineState): boolean {
  return Object.values(requests).some((request) => !isPoll(request) && !READS.includes(request.what))
}

const READS: readonly string[] = ['solver', 'chainRead']

/** The caller continues in the turn in which it became true. */
async function untilTrue(isTrue: () => boolean, withinMs: Ms, timing = SYSTEM_TIMING): Promise<void> {
  const now = () => timing.moment().steadyMs
  const deadline = now() + withinMs
  while (!isTrue() && now() < deadline) await pauseFor(timing, LOOK_MS)
}
