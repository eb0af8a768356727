import { EXIT_CODE } from '../../../base/exit-code.ts'
import { z } from 'zod'
import { changesField, type StartName, TEXT_LIMIT } from './command-entry.ts'
import { OPERATOR_COMMANDS } from './operator-commands.ts'

/** Commands that may have moved money if they get no answer. */
const PAYING = ['withdraw', 'approveWithdrawal', 'treasury/approve', 'proposals/accept']

/** Returns the exit code of a command that the daemon did not answer: 5 if money may have moved, otherwise 1. */
export function exitCodeOfSilence(path: string): number {
  return PAYING.includes(path) ? EXIT_CODE.unknown : EXIT_CODE.failed
}

export const TEXT = z.string().trim().min(1).max(TEXT_LIMIT)
export const COMMON_FIELDS = {
  position: TEXT.optional().describe(
    'The name of the position; optional if there is only one. Without it, ack applies to all.',
  ),
  who: TEXT.optional().describe(
    'The sender, if several people share the token: journalled next to its name. Ignored for a token of http.tokens.',
  ),
  why: TEXT.default('no reason given').describe('The reason, for the journal.'),
  reason: TEXT.optional().describe('A synonym of `why`, which is used if both are given.'),
}
const commonBody = z.strictObject(COMMON_FIELDS)
/** The fields of a body that every command has. */
export type CommonBody = z.output<typeof commonBody>

/** Returns the schema of a command's body. */
export function commandBody(name: StartName): z.ZodType<CommonBody> {
  return z.strictObject({ ...COMMON_FIELDS, ...OPERATOR_COMMANDS[name].fields(z) })
}

export const CHANGES = changesField(z)

/** Renames `reason` to `why`; a missing body becomes an empty one. */
export function withWhy(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('reason' in body)) return body ?? {}
  const { reason, ...rest } = body
  return { why: reason, ...rest }
}

/** The headers of a command besides the token. */
export const COMMAND_HEADERS = z.looseObject({
  'idempotency-key': z
    .string()
    .optional()
    .describe(
      'Identifies this request: sent again within ten minutes, it is executed once and gets the same answer. A ' +
        'withdrawal needs a key, which never expires: the same key is the same withdrawal, even after a restart.',
    ),
})

/** The body of a preview, which changes nothing. */
export const PREVIEW_BODY = z.strictObject({ position: COMMON_FIELDS.position, changes: CHANGES.default({}) })
