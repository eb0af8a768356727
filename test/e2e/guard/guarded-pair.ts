import type { RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { guardedDesk, type GuardedDesk } from './guarded-desk.ts'

export type GuardedPair = { readonly desk: GuardedDesk; daemon: RunningDaemon; guard: RunningDaemon }

/** A daemon that quotes under the first lease of its guard. */
export async function quotingPair(): Promise<GuardedPair> {
  const desk = await guardedDesk()
  const guard = await desk.startGuard()
  const daemon = desk.startDaemon()
  await desk.quoting(daemon)
  return { desk, daemon, guard }
}

export async function confirmed({ output }: RunningDaemon): Promise<void> {
  await until('the guard confirms the safe quote', () => output().includes('confirmed safe'), {
    otherwise: output,
  })
}

/** The daemon first, so that the guard sees it leave in good order. */
export async function endPair({ desk, daemon, guard }: GuardedPair): Promise<void> {
  await daemon.kill('SIGTERM')
  await guard.kill('SIGTERM')
  await desk.close()
}
