import { encodeJson } from '../base/codec.ts'
import { printable } from './printable.ts'

/** How a command speaks: a sentence or table for people, or one JSON document with `--json`. */
export type Voice = {
  readonly json?: boolean | undefined
}

/** Prints the outcome: `text` for people, `data` for machines. */
export function say(voice: Voice, text: string, data: unknown): void {
  process.stdout.write(voice.json === true ? `${encodeJson(data)}\n` : `${text}\n`)
}

/**
 * Prints what went wrong, to stderr for people and as the one JSON document for machines, and sets the
 * exit code for when the process is done. `details` stand beside `error` in the document.
 */
export function fail(voice: Voice, exitCode: number, message: string, details: object = {}): void {
  if (voice.json === true) process.stdout.write(`${encodeJson({ error: message, exitCode, ...details })}\n`)
  else process.stderr.write(`${message.split('\n').map(printable).join('\n')}\n`)
  process.exitCode = exitCode
}
