import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { printableLines } from '../../../base/printable.ts'
import { err, ok } from '../../../base/result.ts'
import { MINUTE_MS } from '../../../base/time.ts'
import { guardUntilSignal } from './guard-until-signal.ts'
import type { GuardSettings } from './settings.ts'

// The guard's process. It loads only Node's own HTTP and a few small modules. `mizani guard` turns into it.
process.on('SIGUSR1', () => undefined)
process.umask(0o077)
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as GuardSettings
await guardUntilSignal(settings, {
  on: (signal, act) => void process.on(signal, act),
  out: (text) => void process.stdout.write(printableLines(text)),
  err: (text) => void process.stderr.write(printableLines(text)),
  exit: (code) => process.exit(code),
  tryStart: ([executable = process.execPath, ...rest]) =>
    new Promise((resolve) => {
      execFile(executable, rest, { timeout: MINUTE_MS }, (error, _out, words) =>
        resolve(error === null ? ok(null) : err(words.trim() || error.message)),
      )
    }),
  become: ([executable = process.execPath, ...rest]) =>
    process.execve?.(executable, [executable, ...rest], process.env),
})
