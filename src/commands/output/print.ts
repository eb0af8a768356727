import { encodeJson } from '../../base/codec.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { StoreReadError } from '../../store/failure.ts'

/** How a command prints: text for people, or one JSON document with `--json`. */
export type OutputFormat = {
  readonly json?: boolean | undefined
}

/** Prints `text`, or with `--json` `data`. */
export function print(voice: OutputFormat, text: string, data: unknown): void {
  process.stdout.write(voice.json === true ? `${encodeJson(data)}\n` : `${text}\n`)
}

/**
 * Prints what went wrong, to stderr for people and as the one JSON document for machines, and sets the
 * exit code for when the process is done. `details` stand beside `error` in the document.
 */
export function fail(voice: OutputFormat, exitCode: number, message: string, details: object = {}): void {
  if (voice.json === true) process.stdout.write(`${encodeJson({ error: message, exitCode, ...details })}\n`)
  else process.stderr.write(`${message.split('\n').map(printable).join('\n')}\n`)
  process.exitCode = exitCode
}

/** How a command ends: its exit code, and a sentence. */
export type CommandResult = {
  readonly exitCode: number
  readonly answer: string
  /** Taken, though it is not confirmed. Absent: taken where the exit code is 0. */
  readonly accepted?: boolean
}

/** The result of an operator's command; `via` names who performed it. */
export type Outcome = CommandResult & {
  readonly command: string
  readonly position: string
  readonly via: 'daemon' | 'guard' | 'store' | 'venue' | 'chain' | 'nobody'
}

/** Prints an outcome and sets its exit code. */
export function printOutcome(voice: OutputFormat, outcome: Outcome, details: object = {}): void {
  const { command, position, via, exitCode, answer, accepted = exitCode === EXIT_CODE.ok } = outcome
  // The answer may quote text from outside: a reason sent over HTTP, or the venue's error.
  const text = `${position}: ${answer.split('\n').map(printable).join('\n')}`
  if (exitCode === EXIT_CODE.ok)
    print(voice, text, { command, position, via, accepted, answer, exitCode, ...details })
  else fail(voice, exitCode, text, { command, position, via, accepted, answer, ...details })
}

/** Runs `read`; prints the error of a store that cannot be read and sets exit code 1. Other errors pass. */
export async function printStoreError(voice: OutputFormat, read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!(error instanceof StoreReadError)) throw error
    fail(voice, EXIT_CODE.failed, error.failure.message, { kind: error.failure.kind })
  }
}

/** What a command waits for: on stderr, where it does not spoil a JSON document. */
export function printProgress(line: string): void {
  process.stderr.write(`waiting: ${printable(line)}\n`)
}

/** A warning beside the answer: on stderr, where it does not spoil a JSON document. */
export function printWarning(line: string): void {
  process.stderr.write(`warning: ${line}\n`)
}

/**
 * `mizani export | head` is no failure: when the reader of stdout has gone, the process ends silently. Not for the
 * daemon, which manages a position.
 */
export function exitWhenPipeCloses(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
    process.stderr.write(`stdout cannot be written (${error.code ?? error.message})\n`)
    process.exit(1)
  })
}

/** What would move a cursor, ring a bell or turn the reading direction; letters of people's own names stay. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** Text from elsewhere (a venue's error, a file's name) as it may be put on a terminal: nothing in it is a command. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\uFFFD')
}
