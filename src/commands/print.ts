import { encodeJson } from '../base/codec.ts'

/** How a command speaks: a sentence or table for people, or one JSON document with `--json`. */
export type Voice = {
  readonly json: boolean
}

/** Prints the outcome: `text` for people, `data` for machines. */
export function say(voice: Voice, text: string, data: unknown): void {
  process.stdout.write(voice.json ? `${encodeJson(data)}\n` : `${text}\n`)
}

/** Prints what went wrong to stderr, and sets the exit code for when the process is done. */
export function fail(voice: Voice, exitCode: number, message: string): void {
  if (voice.json) process.stdout.write(`${JSON.stringify({ error: message, exitCode })}\n`)
  else process.stderr.write(`${message}\n`)
  process.exitCode = exitCode
}
