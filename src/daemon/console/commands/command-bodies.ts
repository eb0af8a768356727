import { z } from 'zod'
import { ASSETS } from '../../../base/money/asset.ts'
import type { StopCommand } from '../../../core/engine/operator/stops.ts'
import type { ConsoleCommand } from '../position-port.ts'

/** Characters that a person's name and reason may have. */
export const TEXT_LIMIT = 500

export type CommandName = ConsoleCommand['name']
/** All but what stops something, whose bodies are read by hand. */
export type StartName = Exclude<CommandName, StopCommand['name']>

/** After these without an answer money may have moved. */
const PAYING = ['withdraw', 'approveWithdrawal', 'treasury/approve', 'proposals/accept']

/** Returns the exit code of a command that the daemon did not answer: 5 where money may have moved, otherwise 1. */
export function exitCodeOfSilence(path: string): 1 | 5 {
  return PAYING.includes(path) ? 5 : 1
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

const plain = z.strictObject(common)
const withdrawalKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'up to 200 visible characters would be right')
  .describe('The Idempotency-Key with which the withdrawal was requested.')

/** Dotted paths to new values. */
export const CHANGES = z
  .record(z.string().min(1).max(200), z.unknown())
  .describe('New values by dotted path, e.g. {"strategy.params.maxSkewBps": 70}; see GET /api/v1/parameters.')

/** A body with `reason` for what is `why` everywhere else; no body is an empty one. */
export function withWhy(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('reason' in body)) return body ?? {}
  const { reason, ...rest } = body
  return { why: reason, ...rest }
}

/** What a POST may say, by command. */
export const COMMAND_BODIES = {
  activate: plain,
  resume: z.strictObject({
    ...common,
    book: z
      .enum(['adjustment', 'deposit', 'withdrawal'])
      .optional()
      .describe('What the difference of the balances is to be booked as.'),
    expect: z
      .string()
      .max(TEXT_LIMIT)
      .optional()
      .describe(
        'With book: the difference that is booked, e.g. "5 NTZS, -1.5 USDC"; another one is refused. See reconciliation.difference of the state.',
      ),
    reviewUntil: z
      .int()
      .positive()
      .optional()
      .describe(
        'Milliseconds since the epoch: risk.reviewAfter stops nothing before; 24 hours ahead at most.',
      ),
    acceptMid: z
      .string()
      .max(TEXT_LIMIT)
      .optional()
      .describe('The mid that waits, exactly as the state shows it; without it none is adopted.'),
  }),
  withdraw: z.strictObject({
    ...common,
    asset: z.enum(ASSETS),
    amount: z
      .string()
      .max(TEXT_LIMIT)
      .describe('Decimal text, whole tokens: a JSON number would not be exact.'),
    toAddress: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'an address of 0x and 40 hex digits would be right'),
  }),
  approveWithdrawal: z.strictObject({ ...common, key: withdrawalKey }),
  ack: z.strictObject({
    ...common,
    code: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'the code of an alert, such as halted, would be right')
      .nullable()
      .default(null)
      .describe('The alert, as its message names it; null or nothing = all that are open.'),
  }),
  reload: z.strictObject({
    ...common,
    changes: CHANGES.optional(),
    fromFile: z.boolean().default(false).describe('Forget what was set over HTTP before.'),
  }),
} as const satisfies { readonly [name in StartName]: z.ZodType }

export const COMMANDS = Object.keys(COMMAND_BODIES) as readonly StartName[]

/** What a command's headers may say beside the token. */
export const COMMAND_HEADERS = z.looseObject({
  'idempotency-key': z
    .string()
    .optional()
    .describe(
      'Names this one request: sent again within ten minutes it is done once and answered the same. A withdrawal ' +
        'needs one, and keeps it without a limit in time: the same key is the same withdrawal, also after a restart.',
    ),
})

/** Asks what would stand; nothing is changed. */
export const PREVIEW_BODY = z.strictObject({ position: common.position, changes: CHANGES.default({}) })
