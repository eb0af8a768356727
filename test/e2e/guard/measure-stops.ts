import { setTimeout as pause } from 'node:timers/promises'
import type { Ms } from '../../../src/base/time.ts'
import { openGuardClient } from '../../../src/daemon/guard/protocol/ask-guard.ts'
import { RELEASE_PATH } from '../../../src/daemon/guard/protocol/renewal.ts'
import { HTTP_TOKEN, type RunningDaemon } from '../daemon/running-daemon.ts'
import { guardedDesk, type GuardedDesk } from './guarded-desk.ts'

/** What a stop of the daemon did. */
export type StopOutcome = {
  readonly stoppedMs: Ms
  /** The guard has acted. */
  readonly fired: boolean
  /** The venue held the safe quote when the daemon went on. */
  readonly wasSafeAtWake: boolean
  /** From the moment when the daemon continues until it quotes again under a lease. */
  readonly backMs: Ms
  /** The guard has found another quote than the safe one after it: a write of the daemon that was stopped. */
  readonly late: boolean
  /** The daemon has taken what the guard wrote for that of a stranger. */
  readonly foreign: boolean
}

/** Stops a daemon that quotes (SIGSTOP), lets it go on after that time and `isDue`, and waits until it quotes again. */
export async function stopFor(
  stoppedMs: Ms,
  { desk, daemon, guard }: { desk: GuardedDesk; daemon: RunningDaemon; guard: RunningDaemon },
  isDue: () => Promise<void> = () => Promise.resolve(),
): Promise<StopOutcome> {
  const before = guard.output().length
  daemon.child.kill('SIGSTOP')
  await pause(stoppedMs)
  await isDue()
  const wasSafeAtWake = await desk.isSafe()
  daemon.child.kill('SIGCONT')
  const wokeAt = performance.now()
  // What it does first it does within its first second.
  await pause(1_000)
  await desk.quoting(daemon)
  const log = guard.output().slice(before)
  return {
    stoppedMs,
    fired: log.includes('has been silent'),
    wasSafeAtWake,
    backMs: Math.round(performance.now() - wokeAt),
    late: log.includes('instead of the safe quote'),
    foreign: daemon.output().includes('foreign-write'),
  }
}

/** Stops one daemon for each of these times, one after the other, and lifts the latch in between. */
export async function stopAgain(
  times: readonly Ms[],
  onStop: (outcome: StopOutcome) => void,
): Promise<readonly StopOutcome[]> {
  const desk = await guardedDesk()
  const guard = await desk.startGuard()
  const client = openGuardClient(`http://127.0.0.1:${desk.guardPort}`, () => HTTP_TOKEN)
  const daemon = desk.startDaemon()
  const outcomes: StopOutcome[] = []
  try {
    await desk.quoting(daemon)
    for (const ms of times) {
      const outcome = await stopFor(ms, { desk, daemon, guard })
      outcomes.push(outcome)
      onStop(outcome)
      await client.ask('POST', RELEASE_PATH, {}, 5_000)
    }
  } finally {
    client.close()
    await daemon.kill('SIGKILL')
    await guard.kill('SIGKILL')
    await desk.close()
  }
  return outcomes
}

/** What a stop must not do; one sentence each. In between, where the lease may or may not have ended, both are right. */
export function stopFaults({
  stoppedMs,
  fired,
  wasSafeAtWake,
  late,
  foreign,
}: StopOutcome): readonly string[] {
  return [
    ...(stoppedMs <= 2_000 && fired ? ['the guard fired at a daemon that was only slow'] : []),
    ...(stoppedMs >= 10_000 && !wasSafeAtWake ? ['the quote was not safe after 10 s of silence'] : []),
    ...(late ? ['the daemon wrote under a lease that had ended'] : []),
    ...(foreign ? ['the daemon took the writes of its guard for those of a stranger'] : []),
  ]
}
