import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowsInC, type PlainRows } from './plain-rows.ts'

type Printed = {
  readonly rows: number
  readonly seconds: number
  readonly fills: number
  readonly pnlTzs: number
}

/** The loop in C over the same rows, the best of five by processor time; null where there is no C compiler. */
export function runInC(rows: PlainRows): Printed | null {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-bench-'))
  try {
    const program = join(folder, 'loop')
    const built = spawnSync('cc', ['-O2', '-o', program, join(import.meta.dirname, 'loop.c')])
    if (built.error !== undefined) return null
    if (built.status !== 0) throw new Error(`loop.c does not compile: ${built.stderr.toString()}`)
    const tape = join(folder, 'tape')
    writeFileSync(tape, rowsInC(rows))
    const ran = spawnSync(program, [tape], { encoding: 'utf8' })
    if (ran.status !== 0) throw new Error(`the loop in C ended with ${ran.signal ?? `exit ${ran.status}`}`)
    return JSON.parse(ran.stdout) as Printed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
