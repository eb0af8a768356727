import { closeSync, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import { printableStyled } from '../../../base/printable.ts'
import { errorCode } from '../../../base/result.ts'
import type { DestinationStream } from 'pino'

/** Writes bytes and returns how many were written; throws the file system's error. */
export type Write = (bytes: Uint8Array) => number

const PAUSE_MS = 10
/** A reader that blocks for longer is skipped: far less than a hanging strategy gets. */
const PATIENCE_MS = 300
const NEWLINE = 10

/**
 * Writes lines to an open file before the call returns. A log that cannot be written (a full disk, a dead or blocked
 * reader) must not stop trading: its lines are lost, and the next successful line is preceded by their number.
 */
export function lineWriter(
  descriptor: number,
  write: Write = (bytes) => writeSync(descriptor, bytes),
): DestinationStream {
  let lost = 0
  let why = ''
  let isLineBegun = false

  /** Waits once for a busy reader; if that fails, does not wait again until it reads. */
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

/** Writes lines to a file by name, and reopens it after a rotation or removal. Throws if it cannot be opened. */
export function fileWriter(file: string): DestinationStream {
  let descriptor = openSync(file, 'a')
  return lineWriter(descriptor, (bytes) => {
    descriptor = afterRotation(file, descriptor)
    return writeSync(descriptor, bytes)
  })
}

/** Continues with the old file while the new one cannot be opened. */
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

const CLEAR_LINE = '\r\u001B[2K'

/**
 * Returns a function that shows a log line of JSON to a person: time, level, position and sentence, in place of a status line
 * on the same row of the terminal. Its package is loaded only where a person looks.
 */
export async function readableLines(): Promise<(json: string) => string> {
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({
    colorize: (process.env['NO_COLOR'] ?? '') === '',
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'position',
    messageFormat: (fields, messageKey) =>
      [fields['position'], fields[messageKey]].filter((part) => typeof part === 'string').join(': '),
    // The sentence has what the fields have; errors are shown.
    hideObject: true,
  })
  // Texts from outside must not control the terminal.
  return (json) => `${CLEAR_LINE}${printableStyled(pretty(json).replaceAll('\t', '  '))}`
}
