import { spawn } from 'node:child_process'
import { SECOND_MS, type Ms } from '../../base/time.ts'

/** What people may have to hear of from the guard; the codes stand in `alerts/position-notices.ts`. */
export type GuardNotice =
  | 'guard-fired'
  | 'guard-latched'
  | 'guard-powerless'
  | 'guard-deactivated'
  | 'guard-mismatch'
  | 'guard-returned'
  | 'guard-cancelled'
  | 'guard-not-cancelled'

export type Report = {
  /** One line of the log. */
  readonly log: (level: 'info' | 'warn' | 'error', position: string | null, message: string) => void
  /** The same, and a message to the channels of the position. */
  readonly notify: (
    code: GuardNotice,
    position: { readonly name: string; readonly configFile: string; readonly hasNotify: boolean },
    message: string,
  ) => void
}

const GOOD_NEWS: readonly GuardNotice[] = ['guard-returned', 'guard-cancelled']

/** After so long each, a message that no channel took is tried again. */
const RETRIES_MS: readonly Ms[] = [10 * SECOND_MS, 60 * SECOND_MS]

/**
 * Lines of JSON on standard output. A notification is sent by a process of its own that ends with it: channels, limits and
 * texts are those of the daemon, and the guard stays small.
 */
export function createReport(program: readonly string[]): Report {
  const log: Report['log'] = (level, position, message) => {
    const time = new Date().toISOString()
    process.stdout.write(
      `${JSON.stringify({ level, time, ...(position === null ? {} : { position }), msg: message })}\n`,
    )
  }

  function send(code: GuardNotice, configFile: string, name: string, message: string, attempt: number): void {
    const [executable = process.execPath, ...first] = program
    const args = [...first, 'notify', 'send', '--config', configFile, '--code', code, '--text', message]
    const child = spawn(executable, args, { stdio: 'ignore' })
    let isOver = false
    const failed = (): void => {
      if (isOver) return
      isOver = true
      const pauseMs = RETRIES_MS[attempt]
      log(
        'warn',
        name,
        pauseMs === undefined
          ? 'no channel took the message'
          : 'a channel did not take the message; it is sent again',
      )
      if (pauseMs !== undefined)
        setTimeout(() => send(code, configFile, name, message, attempt + 1), pauseMs).unref()
    }
    child.on('error', failed)
    child.on('exit', (exitCode) => {
      if (exitCode !== 0) failed()
    })
  }

  return {
    log,
    notify(code, { name, configFile, hasNotify }, message) {
      log(GOOD_NEWS.includes(code) ? 'info' : 'error', name, message)
      if (hasNotify) send(code, configFile, name, message, 0)
    },
  }
}
