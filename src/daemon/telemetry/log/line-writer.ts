import { closeSync, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import { errorCode } from '../../../base/result.ts'
import type { DestinationStream } from 'pino'

/** Puts bytes somewhere and says how many it took; throws as the file system does. */
export type Write = (bytes: Uint8Array) => number

const PAUSE_MS = 10
/** A reader that does not read for so long is no longer waited for: far less than a strategy that hangs gets. */
const PATIENCE_MS = 300
const NEWLINE = 10

/**
 * Lines to an open file, each one written before the call returns. A log that cannot be written (a full disk, a
 * reader that is gone or stands still) must not end who trades: its lines are lost, and with the first one that can be
 * written again comes one that says how many.
 */
export function lineWriter(
  descriptor: number,
  write: Write = (bytes) => writeSync(descriptor, bytes),
): DestinationStream {
  let lost = 0
  let why = ''
  let isLineBegun = false

  /** Waits for a reader that is busy; not again, until it reads, for one that was waited for in vain. */
  function put(text: string): void {
    let left: Uint8Array = Buffer.from(text)
    let patienceMs = lost > 0 ? 0 : PATIENCE_MS
    while (left.length > 0) {
      try {
        const taken = write(left)
        if (taken > 0) isLineBegun = left[taken - 1] !== NEWLINE
        left = left.subarray(taken)
      } catch (error) {
        if (!isBusy(error) || patienceMs <= 0) throw error
        patienceMs -= PAUSE_MS
        pause()
      }
    }
  }

  return {
    write(line) {
      try {
        if (lost > 0) put(`${isLineBegun ? '\n' : ''}${lostLine(lost, why)}`)
        lost = 0
        put(line)
      } catch (error) {
        lost += 1
        why = errorCode(error)
      }
    },
  }
}

/** Lines to a file by its name: once another file has that name, or none has, it is opened again. Throws where it cannot be opened. */
export function fileWriter(file: string): DestinationStream {
  let descriptor = openSync(file, 'a')
  return lineWriter(descriptor, (bytes) => {
    descriptor = afterRotation(file, descriptor)
    return writeSync(descriptor, bytes)
  })
}

/** The old file is written to for as long as the new one cannot be opened. */
function afterRotation(file: string, descriptor: number): number {
  const [named, held] = [statSync(file, { throwIfNoEntry: false }), fstatSync(descriptor)]
  if (named?.ino === held.ino && named.dev === held.dev) return descriptor
  try {
    const next = openSync(file, 'a')
    closeSync(descriptor)
    return next
  } catch {
    return descriptor
  }
}

function lostLine(lost: number, why: string): string {
  const time = new Date().toISOString()
  const msg = `${lost} log lines could not be written (${why}) and are lost`
  return `${JSON.stringify({ level: 'warn', time, event: 'log', lost, msg })}\n`
}

function isBusy(error: unknown): boolean {
  return ['EAGAIN', 'EBUSY', 'EINTR'].includes(errorCode(error))
}

const NEVER = new Int32Array(new SharedArrayBuffer(4))

function pause(): void {
  Atomics.wait(NEVER, 0, 0, PAUSE_MS)
}
