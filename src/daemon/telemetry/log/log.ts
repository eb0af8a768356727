import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino'
import { fileWriter, lineWriter, readableLines } from './line-writer.ts'
import { closeSync, openSync } from 'node:fs'
import { isatty } from 'node:tty'
import { printableJson } from '../../../base/printable.ts'
import { err, ok, type Result } from '../../../base/result.ts'

export type Log = Logger

export type LogOptions = {
  /** The position of this log; null = the process itself. */
  readonly position: string | null
  readonly level: string
  /** A file descriptor or a stream; default: standard output. */
  readonly to?: number | DestinationStream
}

const STDOUT = 1
/** A person reads standard output, and no program. */
const isTerminal = isatty(STDOUT) && process.env['TERM'] !== 'dumb'
const readable = isTerminal ? await readableLines() : printableJson
const SECRET_NAMES = ['apiKey', 'authorization', 'token', 'password', 'secret', 'privateKey', 'cookie']

/**
 * Creates a log of one JSON object per line, written before the call returns (so that a dying process keeps its last
 * lines) and without a transport thread, so that it also works in a worker. Redacts secrets by name at any depth and
 * writes bigint as text. On a terminal the lines are written for people.
 */
export function createLog(options: LogOptions): Log {
  const { to = STDOUT } = options
  const target = typeof to === 'number' ? lineWriter(to) : to
  const shown = to === STDOUT ? readable : printableJson
  return pino(
    {
      level: options.level,
      base: options.position === null ? {} : { position: options.position },
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecrets(fields),
      },
      // Fields that the formatter does not see: bindings of child loggers and properties of errors.
      redact: {
        paths: SECRET_NAMES.flatMap((name) => [name, `err.*.${name}`]),
        censor: '[redacted]',
      },
    },
    { write: (line) => target.write(shown(line)) },
  )
}

export function logFileProblem(file: string | null): string | null {
  try {
    if (file !== null) closeSync(openSync(file, 'a'))
    return null
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return `log.file: ${file} cannot be opened (${code}); use a file in a folder of this user`
  }
}

/** Returns the log's destination, standard output without a file; the error is why it cannot be opened. */
export function openLogFile(file: string | null): Result<number | DestinationStream, string> {
  const problem = logFileProblem(file)
  if (problem !== null) return err(problem)
  return ok(file === null ? STDOUT : fileWriter(file))
}

/** Names that suggest a secret, in any spelling: apiKey, X-Api-Key, MM_API_KEY ... */
const SECRET_NAME =
  /^(.*api-?_?key|(proxy-)?authorization|(.*_)?token|password|passphrase|.*secret|.*private-?_?key|(set-)?cookie|mnemonic)$/i
const DEEPEST = 8

/**
 * Returns a loggable copy: replaces values under a secret's name at any depth, and writes bigint as text. Errors and
 * other class instances pass unchanged, because they serialise themselves.
 */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return copyRecord(fields, 0)
}

function copyRecord(fields: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    copy[name] = SECRET_NAME.test(name) && value !== null ? '[redacted]' : copyValue(value, depth + 1)
  }
  return copy
}

function copyValue(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null ? copyRecord(value, depth) : value
}
