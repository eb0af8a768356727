import { spawn, type ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { onTestFinished } from 'vitest'
import { PROGRAM, SHORT_LIFE } from '../daemon/program.ts'

/** A process that writes stores until it is killed. */
export type Writer = {
  readonly child: ChildProcess
  readonly said: () => string
  readonly ended: Promise<void>
  /** Resolves once the child has said something that matches. */
  readonly until: (pattern: RegExp) => Promise<void>
}

const SOURCES = join(import.meta.dirname, 'writing-child.ts')

/**
 * Built beside the daemon, whose threads it shares: a writer starts dozens of times in a file of tests, and a built one in a third
 * of the time. Where the daemon runs from sources, so does this.
 */
function builtWriter(): string {
  if (!PROGRAM.endsWith('.js')) return SOURCES
  const outfile = join(dirname(PROGRAM), `writing-child-${process.pid}.js`)
  buildSync({
    entryPoints: [SOURCES],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
  })
  return outfile
}

let writer: string | null = null

/** `places`: folders with commas between them, or one place in PostgreSQL as JSON. */
export function startWriter(places: string, seed: number): Writer {
  writer ??= builtWriter()
  const child = spawn(process.execPath, [...SHORT_LIFE, writer, places, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    child,
    ended,
    said: () => said,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => pattern.test(said) && resolve()
        child.stdout.on('data', look)
        child.on('close', () => reject(new Error(`ended without ${pattern}: ${said}`)))
        look()
      }),
  }
}

/** The last number that a writer was notified to be durable. */
export function lastAcknowledged(said: string): number {
  return Number([...said.matchAll(/^durable (\d+)$/gm)].at(-1)?.[1] ?? 0)
}
