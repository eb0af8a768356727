import { expect } from 'vitest'

/** Matches the answer to a command that was accepted, with this part of its sentence. */
export function accepted(text: string) {
  return { accepted: true, answer: expect.stringContaining(text) as string }
}

/** Matches the answer to a command that was refused, with this part of its sentence. */
export function refused(text: string) {
  return { accepted: false, answer: expect.stringContaining(text) as string }
}
