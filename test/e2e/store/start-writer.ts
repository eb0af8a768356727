import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A process that writes stores until it is killed. */
export type Writer = {
  readonly child: ChildProcess
  readonly said: () => string
  readonly ended: Promise<void>
  /** Resolves once the child has said something that matches. */
  readonly until: (pattern: RegExp) => Promise<void>
}

/** `places`: folders with commas between them, or one place in PostgreSQL as JSON. */
export function startWriter(places: string, seed: number): Writer {
  const file = join(import.meta.dirname, 'writing-child.ts')
  const child = spawn(process.execPath, [file, places, String(seed)], {
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

/** The last number that a writer was told to be durable. */
export function lastAcknowledged(said: string): number {
  return Number([...said.matchAll(/^durable (\d+)$/gm)].at(-1)?.[1] ?? 0)
}
