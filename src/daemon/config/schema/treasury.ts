import { z } from 'zod'
import { TOKEN_DECIMALS } from '../../../base/money/asset.ts'
import { KEYED_ROUTES } from '../../../treasury/model/keys.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from '../../../treasury/model/place.ts'
import { cronProblem, SKIM_TIMEZONE } from './cron.ts'
import { bankFormatSchema } from './bank-format.ts'
import { partnerFields } from '../../../treasury/api/settings.ts'
import { between, checkedAddress, field, money, orNull, whole } from './field.ts'

/** The names of routes, as in the policy. */
const ROUTES = ['bank-deposit', 'rebalance', 'swap', 'onramp', 'offramp', 'payout'] as const

/** A mapping from the treasury's tokens, all optional. */
function perToken<Schema extends z.ZodType>(make: (decimals: number) => Schema) {
  const shape = Object.fromEntries(
    TREASURY_ASSETS.map((asset) => [asset, make(TOKEN_DECIMALS[asset]).optional()]),
  )
  return z.strictObject(shape as { [asset in TreasuryAsset]: z.ZodOptional<Schema> })
}

const band = (decimals: number) =>
  z
    .strictObject({ target: money(decimals), refillBelow: money(decimals), skimAbove: money(decimals) })
    .refine(({ target, refillBelow }) => refillBelow < target, {
      path: ['refillBelow'],
      message: 'not below the target; a refill fills up to the target, so use a lower amount',
    })
    .refine(({ target, skimAbove }) => skimAbove > target, {
      path: ['skimAbove'],
      message: 'not above the target; only the amount above the target is skimmed',
    })

const { baseUrl, ...partnerOptions } = partnerFields.shape

const partnerSection = z.strictObject({
  baseUrl,
  apiKey: field.secret.describe('The partner key (svc_live_..., svc_test_...).'),
  ...partnerOptions,
})

const capSection = z.strictObject({
  route: z.enum(ROUTES).nullable().default(null),
  destination: field.text.nullable().default(null),
  perDay: perToken(money).default({}),
  perMonth: perToken(money).default({}),
})

const policySection = z.strictObject({
  bands: perToken(band)
    .default({})
    .describe(
      'Per token, over pool, LP wallet and treasury together: target, refillBelow, skimAbove. refillBelow 0 never refills the token. A token not named is left alone.',
    ),
  routes: z
    .array(z.enum(ROUTES))
    .default(['bank-deposit', 'rebalance'])
    .describe('The routes that may be used.'),
  caps: z
    .array(capSection)
    .max(100)
    .default([])
    .describe(
      'Most that may leave, inclusive: { route, destination, perDay, perMonth }, tokens in the last two; a route or destination of null is all of them. A day is 24 hours and a month 30 days, both rolling.',
    ),
  leadTimeMs: field.durationMs
    .default(14_400_000)
    .describe('From the decision to usable tokens, until outcomes of the route show its own time.'),
  serviceLevel: between(0.5, 0.999)
    .default(0.95)
    .describe('Share of cases in which a side has to last until its refill arrives.'),
  smallest: perToken(money)
    .default({})
    .describe('Smallest movement that is worth its cost; a token not named: 50000 NTZS, 20 USDC, 20 USDT.'),
  profitsTo: orNull(
    field.text,
    'The payee that receives the amount above skimAbove; null = nothing is skimmed.',
  ),
  skimCron: field.text
    .nullable()
    .default(null)
    .describe(
      'When profits are skimmed: five fields of cron, East Africa Time, as node-cron reads them. Day of the month and weekday must both match: `0 18 13 * 5` is Friday the 13th. null = never.',
    )
    .superRefine((text, context) => {
      const problem = text === null ? null : cronProblem(text, SKIM_TIMEZONE)
      if (problem !== null) context.addIssue({ code: 'custom', message: problem })
    }),
})

const payeeSection = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'not a name; letters, digits, dots, dashes'),
    bank: z
      .strictObject({ bankCode: field.text, accountNumber: z.string().regex(/^[A-Za-z0-9-]{4,34}$/) })
      .optional(),
    phone: z
      .string()
      .regex(/^(?:\+?255|0)7\d{8}$/, 'not a mobile number of Tanzania; expected 07XXXXXXXX in quotes')
      .optional(),
    address: checkedAddress.optional(),
    admitted: z.boolean().default(false),
  })
  .refine(
    ({ bank, phone, address }) => [bank, phone, address].filter((one) => one !== undefined).length === 1,
    {
      path: ['name'],
      message: 'a payee is exactly one of bank, phone and address',
    },
  )

const approvalSection = z.strictObject({
  people: z
    .union([z.literal(1), z.literal(2)])
    .default(2)
    .describe(
      'Number of tokens that must approve an outgoing payment; 1 is for a provider with one operator, with the cool-off and lower caps. Neither the daemon nor the last author of the policy counts.',
    ),
  coolOffMs: field.durationMs
    .default(3_600_000)
    .describe('With people: 1, from the approval until it is sent.'),
  withinMs: field.intervalMs
    .default(14_400_000)
    .describe('An intent that is not approved within this time expires.'),
  freeRefill: perToken(money)
    .default({})
    .describe('Refills between our own places up to this need no approval; a token not named is 0.'),
})

const webhooksSection = z.strictObject({
  host: field.text
    .default('127.0.0.1')
    .describe('Where the listener is reached; a reverse proxy on this machine needs no other.'),
  port: whole(0, 65_535).default(9_465).describe('0 takes any free port.'),
  secrets: z
    .array(field.secret)
    .min(1)
    .max(5)
    .describe('Signing secrets; a list, so that the old and the new one are both valid during a rotation.'),
  toleranceMs: field.intervalMs
    .max(3_600_000)
    .default(300_000)
    .describe('A delivery whose timestamp is further away from our clock is refused, both ways.'),
})

/** Capital that moves by policy: the partner API, the bands, the approvals. null = off. */
export const treasurySection = z
  .strictObject({
    partner: partnerSection,
    userId: z.guid('not an id of a user; expected a UUID').describe("The provider's own partner user."),
    lpWallet: orNull(checkedAddress, "The LP wallet's address, which receives top-ups. null = chain.wallet."),
    phone: orNull(
      z
        .string()
        .regex(/^(?:\+?255|0)7\d{8}$/, 'not a mobile number of Tanzania; expected 07XXXXXXXX in quotes'),
      'Our own mobile money line, for the ramp; null = routes over the ramp are not used.',
    ),
    payerAccountNumber: orNull(
      z.string().regex(/^[A-Za-z0-9-]{4,34}$/, 'not an account number; 4 to 34 letters, digits or dashes'),
      'Our bank account, which pays deposits; some venues want it. null = it is not sent.',
    ),
    mode: z
      .enum(['live', 'plan'])
      .default('plan')
      .describe('plan: decides, shows what it would do, and sends nothing.'),
    policy: policySection.prefault({}),
    payees: z
      .array(payeeSection)
      .max(100)
      .default([])
      .describe(
        'Allowed payees: { name, and one of bank: { bankCode, accountNumber }, phone, address }. A new payee needs an approval, 24 hours and a first payout of 5,000; `admitted: true` skips that and is for demonstrations.',
      ),
    approval: approvalSection.prefault({}),
    replayWindowMs: field.intervalMs
      .max(86_400_000)
      .default(3_600_000)
      .describe(
        'How long a payment without a clear answer is looked for before it is a claim. Where its route honours keys it is sent again with the same key meanwhile.',
      ),
    transferCaps: orNull(
      z.strictObject({
        perTransaction: money(TOKEN_DECIMALS.NTZS).nullable().default(null),
        perDay: money(TOKEN_DECIMALS.NTZS).nullable().default(null),
      }),
      "The venue's limits on shilling transfers of our user, in whole TZS per transfer and per 24 hours: larger amounts are divided, and wait. null = learned from its refusals.",
    ),
    keysHonoured: z
      .array(z.enum(KEYED_ROUTES))
      .default([])
      .describe(
        'Routes on which you vouch that the venue honours the Idempotency-Key, so that a payment without an answer is retried. A venue that ignores keys would pay twice. Routes not listed are retried only if the venue itself has shown that it honours keys.',
      ),
    pollEveryMs: field.intervalMs
      .default(15_000)
      .describe('How often balances and open movements are read; polling is the truth.'),
    bankFormats: z
      .record(
        z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'not a name; letters, digits, dots, dashes'),
        bankFormatSchema,
      )
      .default({})
      .describe(
        'How each bank writes its CSV files, by a name of yours; `mizani treasury bank-format FILE` proposes an entry. MT940 needs none.',
      ),
    webhooks: orNull(webhooksSection, 'The listener for webhooks, on a separate port. null = only polling.'),
    exit: z
      .enum(['alert', 'lower'])
      .default('alert')
      .describe('What an alarm about the supply of the token does; lower also deploys less.'),
    supplyEveryMs: field.intervalMs.default(900_000).describe('How often the supply of the token is read.'),
    reconcileEveryMs: field.intervalMs
      .default(86_400_000)
      .describe("How often the venue's own reconciliation is read; it takes the venue tens of seconds."),
    calendar: orNull(
      field.text,
      'Days on which banks do not work, a file beside this one; null = the one that ships.',
    ),
  })
  .refine(({ payees }) => new Set(payees.map(({ name }) => name)).size === payees.length, {
    path: ['payees'],
    message: 'two payees have one name; an approval names the payee by it',
  })
  .refine(({ policy, payees }) => isPayee(policy.profitsTo, payees), {
    path: ['policy', 'profitsTo'],
    message: 'no payee has this name; use a name from payees',
  })

function isPayee(name: string | null, payees: readonly { readonly name: string }[]): boolean {
  return name === null || payees.some((payee) => payee.name === name)
}
