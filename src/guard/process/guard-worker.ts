import { readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { errorText } from '../../base/result.ts'
import { runGuard } from './run-guard.ts'
import type { GuardSettings } from './settings.ts'

// The process of a guard: it loads Node's own HTTP and the rooms base, lease and guard, nothing else. `mizani guard` becomes it.
process.on('SIGUSR1', () => undefined)
process.umask(0o077)
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** A daemon renews once a second: by then each has been told that nobody watches any more. */
const DRAIN_MS = 3_000

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as GuardSettings
const guard = await runGuard(settings).catch((error: unknown) => ({
  ok: false as const,
  error: errorText(error),
}))
if (!guard.ok) {
  process.stderr.write(`${guard.error}\n`)
  process.exit(1)
}
const { url, positions, report, close } = guard.value
process.stdout.write(
  `${JSON.stringify({ msg: 'guarding', url, positions: settings.positions.map(({ name }) => name) })}\n`,
)

let isEnding = false

/** Daemons that live are told, so that none of them takes the end for a silence; what the guard acts for is taken up by the next start. */
async function end(): Promise<boolean> {
  if (isEnding) return false
  isEnding = true
  positions.drain(null)
  await pause(positions.status().length === 0 ? 0 : DRAIN_MS)
  await close()
  return true
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    report.log('info', null, `${signal}: the guard drains and ends`)
    void end().then((isFirst) => isFirst && process.exit(0))
  })
process.on('SIGHUP', () => {
  report.log('info', null, 'SIGHUP: the guard drains and reads its configuration again')
  void end().then((isFirst) => {
    const [executable = process.execPath] = settings.program
    if (isFirst) process.execve?.(executable, [...settings.program, ...settings.arguments], process.env)
  })
})
