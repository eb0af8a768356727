import { EXIT_CODE } from '../../../base/exit-code.ts'
import { z } from 'zod'
import { changesField, type StartName, TEXT_LIMIT } from './command-entry.ts'
import { OPERATOR_COMMANDS } from './operator-commands.ts'

/** Commands after which, without an answer, money may have moved. */
const PAYING = ['withdraw', 'approveWithdrawal', 'treasury/approve', 'proposals/accept']

/** Returns the exit code of a command that the daemon did not answer: 5 where money may have moved, otherwise 1. */
export function exitCodeOfSilence(path: string): number {
  return PAYING.includes(path) ? EXIT_CODE.unknown : EXIT_CODE.failed
}

export const TEXT = z.string().trim().min(1).max(TEXT_LIMIT)
export const COMMON_FIELDS = {
  position: TEXT.optional().describe(
    'Which one; may be left out where there is a single one. Without it ack goes to all.',
  ),
  who: TEXT.optional().describe(
    'Who sends it, for a token that several people share: journalled next to its name. Ignored for a token of http.tokens.',
  ),
  why: TEXT.default('no reason given').describe('Why, for the journal.'),
  reason: TEXT.optional().describe('The same as `why`, which is used if both are given.'),
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
      'Names this one request: sent again within ten minutes it is done once and answered the same. A withdrawal ' +
        'needs one, and keeps it without a limit in time: the same key is the same withdrawal, also after a restart.',
    ),
})

/** The body of a preview, which changes nothing. */
export const PREVIEW_BODY = z.strictObject({ position: COMMON_FIELDS.position, changes: CHANGES.default({}) })
