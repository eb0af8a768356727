import { EXIT_CODE } from './exit-code.ts'
import { printable } from './printable.ts'
import { fail, say, type Voice } from './say.ts'

/** What became of a person's command. `via` says who carried it out. */
export type Outcome = {
  readonly command: string
  readonly position: string
  readonly via: 'daemon' | 'store' | 'venue' | 'chain' | 'nobody'
  readonly exitCode: number
  readonly answer: string
}

/** Prints an outcome and sets its exit code. */
export function sayOutcome(voice: Voice, outcome: Outcome, details: object = {}): void {
  const { command, position, via, exitCode, answer } = outcome
  // A reason may be somebody else's words: whoever sent it over HTTP, or the venue.
  const text = `${position}: ${answer.split('\n').map(printable).join('\n')}`
  if (exitCode === EXIT_CODE.ok)
    say(voice, text, { command, position, via, accepted: true, answer, exitCode, ...details })
  else fail(voice, exitCode, text, { command, position, via, accepted: false, answer, ...details })
}
