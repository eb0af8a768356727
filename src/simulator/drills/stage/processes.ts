import { err, ok, type Result } from '../../../base/result.ts'
import type { PositionView } from '../../../daemon/view/position-view.ts'
import type { DaemonProcess } from './daemon.ts'
import type { Launcher } from './launcher.ts'
import type { DrilledProcess, ProcessNotice } from './process.ts'

/** The processes of the drilled desk. */
export type Processes = {
  /** The running daemon; a restart replaces it. */
  readonly daemon: () => DaemonProcess
  readonly view: () => Promise<PositionView | null>
  readonly restart: () => Promise<Result<void, string>>
  /** The running guard; null if the desk has no guard. */
  readonly guard: () => DrilledProcess | null
  readonly restartGuard: () => Promise<Result<void, string>>
  /** Returns the notices in the logs since then (monotonic ms), oldest first, including those of earlier processes. */
  readonly noticesSince: (at: number) => readonly ProcessNotice[]
  readonly close: () => Promise<void>
}

/** Starts the guard, if the desk has one, and then the daemon. */
export async function openProcesses(
  launcher: Launcher,
  withGuard: boolean,
): Promise<Result<Processes, string>> {
  const processes: DrilledProcess[] = []
  const close = async () => {
    for (const process of processes) await process.kill('SIGKILL')
  }
  async function startGuard(): Promise<Result<DrilledProcess, string>> {
    const started = await launcher.guard()
    if (!started.ok) return err(`the guard did not start: ${started.error}`)
    processes.push(started.value)
    return started
  }
  async function startDaemon(): Promise<Result<DaemonProcess, string>> {
    const started = await launcher.daemon()
    if (!started.ok) return err(`the daemon did not start: ${started.error}`)
    processes.push(started.value)
    return started
  }

  const firstGuard = withGuard ? await startGuard() : ok(null)
  if (!firstGuard.ok) return firstGuard
  const first = await startDaemon()
  if (!first.ok) {
    await close()
    return first
  }
  let guard: DrilledProcess | null = firstGuard.value
  let daemon = first.value
  return ok({
    daemon: () => daemon,
    view: () => daemon.view(),
    async restart() {
      const next = await startDaemon()
      if (!next.ok) return next
      daemon = next.value
      return ok(undefined)
    },
    guard: () => guard,
    async restartGuard() {
      const next = await startGuard()
      if (!next.ok) return next
      guard = next.value
      return ok(undefined)
    },
    noticesSince: (from) =>
      processes
        .flatMap(({ notices }) => notices.filter(({ at }) => at >= from))
        .toSorted((one, other) => one.at - other.at),
    close,
  })
}
