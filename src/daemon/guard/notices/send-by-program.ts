import { spawn } from 'node:child_process'
import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { NoticeDelivery, OutgoingNotice, SendNotices } from './notice.ts'
import { runAfter } from '../../../base/threads/timing.ts'

/** Each channel is sent to separately and answers within seconds. */
const TIMEOUT_MS: Ms = MINUTE_MS
const MOST_BYTES = 1_024 * 1_024

/**
 * Sends notices through a child process that uses the daemon's channels, limits and texts, which keeps the guard small. A child that
 * exceeds the time limit is killed; deliveries it reported before still count.
 */
export function sendByProgram(program: readonly string[], timeoutMs = TIMEOUT_MS): SendNotices {
  const [executable = process.execPath, ...first] = program
  return (notices) =>
    new Promise((resolve) => {
      const child = spawn(executable, [...first, 'notify', 'send', '--batch'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      let out = ''
      const timer = runAfter(() => child.kill('SIGKILL'), timeoutMs)
      const end = (): void => {
        clearTimeout(timer)
        resolve(deliveriesOf(out, notices))
      }
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (out.length < MOST_BYTES) out += text
      })
      // The child did not start, or exited before reading its input: nothing is reported as sent.
      child.stdin.on('error', () => undefined)
      child.on('error', end)
      child.on('close', end)
      child.stdin.end(JSON.stringify({ notices }))
    })
}

/** The child prints one JSON line per notice; other lines are ignored. */
function deliveriesOf(out: string, notices: readonly OutgoingNotice[]): readonly NoticeDelivery[] {
  const known = new Set(notices.map(({ id }) => id))
  return out.split('\n').flatMap((line) => {
    const delivery = parseDelivery(line)
    return delivery !== null && known.has(delivery.id) ? [delivery] : []
  })
}

function parseDelivery(line: string): NoticeDelivery | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return null
  }
  const { id, left, why } = (parsed ?? {}) as Readonly<Record<string, unknown>>
  if (typeof id !== 'string' || !Array.isArray(left)) return null
  const channels = left.filter((one) => typeof one === 'string')
  return { id, left: channels, why: typeof why === 'string' ? why : null }
}
