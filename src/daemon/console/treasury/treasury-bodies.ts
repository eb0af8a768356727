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

/** What a POST below /api/v1/treasury takes, by the last part of its path; a stop takes any body. */
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
      .describe('`envelope.text` of the intent, exactly: what is approved is what was seen.'),
    why: TEXT.optional().describe('May be given; what is kept of an approval is its envelope.'),
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
    registeredName: TEXT.describe('The name that was seen, exactly: `registered.name` of the payee.'),
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
  'confirm-balances': 'Confirm after a restore that the balances are what the books have',
  cancel: 'Cancel an intent; what was sent goes its way',
  hold: 'Send nothing more of an intent until someone approves it again',
  approve: 'Agree to the envelope of an intent',
  payout: 'Order a payout to a listed payee; another token has to approve it',
  'confirm-payee': 'Confirm the other name of a payee’s account: it is a new payee from then on',
  'resolve-claim': 'Book where a claim’s money is, as a person found out',
}

/** What a token must be allowed to do, one of these. */
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

/** Read on the thread that renews the lease at the guard, in a quarter of a second; `mizani treasury match` reads longer files. */
const MOST_BANK_CHARACTERS = 200_000
export const MATCH_BODY = z.strictObject({
  position: COMMON_FIELDS.position,
  text: z.string().min(1).max(MOST_BANK_CHARACTERS).describe('The bank’s file as it is: CSV or MT940.'),
})
/** UTF-8 and JSON's escapes make a text longer. */
export const MATCH_BYTES = 4 * MOST_BANK_CHARACTERS

export const TREASURY_ANSWERS = {
  view: z.object({
    position: z.string(),
    /** Tokens with the permission to approve; an intent's `approval.excluded` may not. */
    approvers: z.array(z.string()),
    /** What the listener for webhooks counted since the start; null = none runs. */
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
    /** Of the tokens for which the policy has one; empty = no treasury, or it has not started. */
    bands: z.array(z.object({ asset: token, band: bandSchema })),
  }),
  match: bankMatchSchema,
} as const
