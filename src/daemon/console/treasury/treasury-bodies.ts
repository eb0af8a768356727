import { z } from 'zod'
import { bankMatchSchema } from '../../view/treasury/bank-view.ts'
import { bandSchema } from '../../view/treasury/holdings-view.ts'
import { webhooksSchema } from '../../view/treasury-reading.ts'
import { treasuryViewSchema } from '../../view/treasury-view.ts'
import type { Permission } from '../auth/permissions.ts'
import { COMMON_FIELDS, TEXT } from '../commands/command-bodies.ts'
import { TEXT_LIMIT } from '../commands/command-entry.ts'

const intent = z
  .string()
  .regex(/^[0-9a-f]{8,64}$/, 'expected the id of an intent, as GET /api/v1/treasury shows it')
const token = z.enum(['NTZS', 'USDC', 'USDT'])
const amount = z
  .string()
  .max(TEXT_LIMIT)
  .describe('Decimal text, whole tokens: a JSON number would not be exact.')

const plain = z.strictObject(COMMON_FIELDS)
const ofIntent = z.strictObject({ ...COMMON_FIELDS, intent })

/** The bodies of POST /api/v1/treasury/..., by the last part of the path; a stop accepts any body. */
export const TREASURY_BODIES = {
  resume: plain,
  'confirm-balances': plain,
  cancel: ofIntent,
  hold: ofIntent,
  approve: z.strictObject({
    ...COMMON_FIELDS,
    intent,
    envelope: z
      .string()
      .max(4_000)
      .describe('`envelope.text` of the intent, exactly as the approver saw it.'),
    why: TEXT.optional().describe('Optional; an approval is stored with its envelope.'),
  }),
  payout: z.strictObject({
    ...COMMON_FIELDS,
    payee: TEXT.describe('A name of treasury.payees.'),
    asset: token,
    amount,
  }),
  'confirm-payee': z.strictObject({
    ...COMMON_FIELDS,
    payee: TEXT.describe('A name of treasury.payees.'),
    registeredName: TEXT.describe('The name exactly as it was shown: `registered.name` of the payee.'),
  }),
  'resolve-claim': z.strictObject({
    ...COMMON_FIELDS,
    intent,
    as: z.enum(['arrived', 'returned', 'lost']),
    received: amount.default('0').describe('Whole tokens that arrived or came back, as decimal text.'),
  }),
} as const
export type TreasuryOrderPath = keyof typeof TREASURY_BODIES
export const TREASURY_ORDERS = Object.keys(TREASURY_BODIES) as TreasuryOrderPath[]

export const TREASURY_SUMMARIES: Readonly<Record<TreasuryOrderPath, string>> = {
  resume: 'Lift a stop',
  'confirm-balances': 'Confirm after a restore that the balances match the books',
  cancel: 'Cancel an intent; a payment that was already sent continues',
  hold: 'Hold an intent: nothing more is sent until it is approved again',
  approve: 'Approve the envelope of an intent',
  payout: 'Order a payout to a listed payee; another token has to approve it',
  'confirm-payee': 'Confirm the changed name of a payee’s account, which then counts as a new payee',
  'resolve-claim': 'Book where a claim’s money is, as a person has determined',
}

/** The token needs one of these permissions. */
export const TREASURY_NEEDS: Readonly<Record<TreasuryOrderPath, readonly Permission[]>> = {
  resume: ['operate'],
  'confirm-balances': ['approve'],
  cancel: ['operate', 'withdraw', 'approve'],
  hold: ['operate', 'withdraw', 'approve'],
  approve: ['approve'],
  payout: ['withdraw'],
  'confirm-payee': ['approve'],
  'resolve-claim': ['approve'],
}

/** Parsing this takes a quarter of a second on the thread that renews the guard's lease; `mizani treasury match` reads longer files. */
const MOST_BANK_CHARACTERS = 200_000
export const MATCH_BODY = z.strictObject({
  position: COMMON_FIELDS.position,
  text: z.string().min(1).max(MOST_BANK_CHARACTERS).describe('The unchanged file of the bank: CSV or MT940.'),
})
/** UTF-8 and JSON's escapes make a text longer. */
export const MATCH_BYTES = 4 * MOST_BANK_CHARACTERS

export const TREASURY_ANSWERS = {
  view: z.object({
    position: z.string(),
    /** The tokens with the permission to approve; those in an intent's `approval.excluded` cannot approve it. */
    approvers: z.array(z.string()),
    /** The counters of the webhook listener since its start; null = no listener runs. */
    webhooks: webhooksSchema.nullable(),
    ...treasuryViewSchema.shape,
  }),
  order: z.object({
    position: z.string(),
    accepted: z.boolean(),
    answer: z.string(),
    exitCode: z.exactOptional(z.int()),
  }),
  bands: z.object({
    position: z.string(),
    /** One per token with a band in the policy; empty = no treasury, or it has not started. */
    bands: z.array(z.object({ asset: token, band: bandSchema })),
  }),
  match: bankMatchSchema,
} as const
