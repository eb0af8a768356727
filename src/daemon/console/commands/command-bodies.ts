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

const text = z.string().trim().min(1).max(TEXT_LIMIT)
const common = {
  position: text
    .optional()
    .describe('Which one; where it is left out ack goes to all, others want a single one to be there.'),
  who: text
    .optional()
    .describe(
      'Who wants it: kept in the journal beside the name of a token that several people share; a token of ' +
        'http.tokens has a name of its own, and this is ignored.',
    ),
  why: text.default('no reason given').describe('Why, for the journal; `reason` is the same.'),
}
const commonBody = z.strictObject(common)
/** The fields of a body that every command has. */
export type CommonBody = z.output<typeof commonBody>

/** Returns the schema of a command's body. */
export function commandBody(name: StartName): z.ZodType<CommonBody> {
  return z.strictObject({ ...common, ...OPERATOR_COMMANDS[name].fields(z) })
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
export const PREVIEW_BODY = z.strictObject({ position: common.position, changes: CHANGES.default({}) })
