import type { z } from 'zod'

/** Why a body is not what its schema says, in one line: the first field that is wrong. */
export function problemOf(error: z.ZodError): string {
  const [issue] = error.issues
  const at = issue?.path.map(String).join('.') ?? ''
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : ''
  return `${at === '' ? 'the body' : at}: ${issue?.message ?? 'not as the contract says'}${more}`
}
