import { encodeJson } from '../../base/codec.ts'
import { printable, printableJson, printableLines, printableStyled } from '../../base/printable.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { StoreReadError } from '../../store/failure.ts'

/** Output format of a command: text for people, or one JSON document with `--json`. */
export type OutputFormat = {
  readonly json?: boolean | undefined
}

/** Options of a command that reads one position's configuration. */
export type ConfigOptions = OutputFormat & { readonly config: string }

/** Prints `text`, or with `--json` `data`. */
export function print(voice: OutputFormat, text: string, data: unknown): void {
  if (voice.json === true) writeJson(data)
  else writeLine(text)
}

/** Prints like `print`, with the colours of lines that this program has made. */
export function printStyled(voice: OutputFormat, text: string, data: unknown): void {
  if (voice.json === true) writeJson(data)
  else process.stdout.write(`${printableStyled(text)}\n`)
}

/** Writes text for people to stdout. All output of commands passes through these functions, so none of it can control the terminal. */
export function writeLine(text: string): void {
  process.stdout.write(`${printableLines(text)}\n`)
}

/** Writes text for people to stderr. */
export function writeNote(text: string): void {
  process.stderr.write(`${printableLines(text)}\n`)
}

/** Writes a document to stdout, on one line. */
export function writeJson(data: unknown): void {
  process.stdout.write(`${printableJson(encodeJson(data))}\n`)
}

/** Overwrites the last line of stderr, on a terminal only. */
export function writeOver(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${printable(text)}\r`)
}

/**
 * Prints an error, to stderr for people and as the one JSON document for machines, and sets the exit code of the process.
 * `details` are added to the document next to `error`.
 */
export function fail(voice: OutputFormat, exitCode: number, message: string, details: object = {}): void {
  if (voice.json === true) writeJson({ error: message, exitCode, ...details })
  else writeNote(message)
  process.exitCode = exitCode
}

/** End of a command: its exit code, and a sentence. */
export type CommandResult = {
  readonly exitCode: number
  readonly answer: string
  /** Accepted, though not confirmed. Absent: accepted if the exit code is 0. */
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
  const text = `${position}: ${answer}`
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

/** Prints the awaited event to stderr, where it does not spoil a JSON document. */
export function printProgress(line: string): void {
  writeNote(`waiting: ${printable(line)}`)
}

/** Prints a warning to stderr, where it does not spoil a JSON document. */
export function printWarning(line: string): void {
  writeNote(`warning: ${line}`)
}

/**
 * `mizani export | head` is not a failure: when stdout's reader has gone, the process ends silently. Not for the
 * daemon, which manages a position.
 */
export function exitWhenPipeCloses(): void {
  // A repeated command calls this in every run.
  process.stdout.off('error', exitOnWriteError).on('error', exitOnWriteError)
}

function exitOnWriteError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
  writeNote(`stdout cannot be written (${error.code ?? error.message})`)
  process.exit(1)
}
