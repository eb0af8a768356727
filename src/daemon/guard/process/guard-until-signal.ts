import { setTimeout as pause } from 'node:timers/promises'
import { errorText, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { runGuard, type Sinks } from './run-guard.ts'
import type { GuardSettings } from './settings.ts'

/** The process functions that the guard uses. */
export type GuardProcess = {
  readonly on: (signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', act: () => void) => void
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly exit: (code: number) => void
  /** Replaces this process by another program, with the same environment. */
  readonly become: (program: readonly string[]) => void
  /** Whether a start with these arguments would succeed; the error is every problem. Never rejects. */
  readonly tryStart: (program: readonly string[]) => Promise<Result<null, string>>
  /** For tests. */
  readonly sinks?: Sinks
  readonly drain?: (ms: Ms) => Promise<unknown>
}

/** After this many renewal intervals, some of them possibly lost, each daemon knows that the guard no longer watches. */
const DRAIN_RENEWALS = 3

/** Returns how long a terminating guard still answers, in ms. */
export function drainMs({ positions }: Pick<GuardSettings, 'positions'>): Ms {
  return DRAIN_RENEWALS * Math.max(0, ...positions.map(({ renewMs }) => renewMs))
}

/**
 * Guards until a signal. SIGTERM and SIGINT drain and exit. SIGHUP checks the configuration first: an invalid one changes nothing;
 * otherwise the guard drains and starts the program again, which reads the new one. Live daemons are notified, so that none mistakes the
 * exit for silence; the next start resumes the positions that the guard acts for. If the guard cannot start, the process exits with 1 and a
 * sentence on standard error.
 */
export async function guardUntilSignal(settings: GuardSettings, own: GuardProcess): Promise<void> {
  const guard = await runGuard(settings, own.sinks).catch((error: unknown) => ({
    ok: false as const,
    error: errorText(error),
  }))
  if (!guard.ok) {
    own.err(`${guard.error}\n`)
    own.exit(1)
    return
  }
  const { url, positions, report, close } = guard.value
  const names = settings.positions.map(({ name }) => name)
  own.out(`${JSON.stringify({ msg: 'guarding', url, positions: names })}\n`)
  let isEnding = false

  /** Only the first signal has an effect. */
  function end(words: string, then: () => void): void {
    report.log('info', null, words)
    if (isEnding) return
    isEnding = true
    positions.drain(null)
    void (own.drain ?? pause)(drainMs(settings))
      .then(() => {
        const unsent = report.waiting()
        if (unsent > 0) report.log('warn', null, `${unsent} notices were not sent: the process ends`)
        return close()
      })
      .then(then)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    own.on(signal, () => end(`${signal}: the guard drains and ends`, () => own.exit(0)))
  let isTrying = false
  own.on('SIGHUP', () => {
    if (isTrying) return
    isTrying = true
    const program = [...settings.program, ...settings.arguments]
    void own
      .tryStart([...program, '--check'])
      .then((tried) => {
        if (tried.ok)
          end('SIGHUP: the guard drains and reads its configuration again', () => own.become(program))
        else
          report.log(
            'error',
            null,
            `SIGHUP: the configuration is refused, and the guard continues with the former one: ${tried.error}`,
          )
      })
      .finally(() => (isTrying = false))
  })
}
