import { isIP } from 'node:net'
import { z } from 'zod'
import { parseTokens } from '../../../base/money/asset.ts'
import { SIMULATED_PARTNER_CODES } from './model/codes.ts'

/** Permissions that a key may have. Source: contract, value conventions. */
export const PARTNER_CAPABILITIES = [
  'collections',
  'disbursements',
  'transfers',
  'treasury',
  'wallets',
  'swap',
  'ramp',
  'commerce',
  'agent_float',
] as const
export type PartnerCapability = (typeof PARTNER_CAPABILITIES)[number]

/** The services that may be out of order, each with its own refusal. */
const OUT_OF_ORDER = [
  'bank',
  'collections',
  'compliance',
  'kyc',
  'relayer',
  'token',
  'signup',
  'treasury',
  'agentFloat',
  'spend',
  'tills',
  'bills',
  'ramp',
  'rampSetup',
  'rampSpend',
  'issuer',
] as const

const probability = z.number().min(0).max(1).default(0)
const durationMs = z.number().min(0)
const wholeTzs = z.int().min(0)
const bps = z.int().min(0).max(1_000)

const amountOf = (asset: 'NTZS' | 'USDC', byDefault: string) =>
  z
    .string()
    .refine((text) => {
      const parsed = parseTokens(text, asset)
      return parsed.ok && parsed.value >= 0n
    }, `not an amount of ${asset}`)
    .default(byDefault)

/** Returns whether the allow-list can hold the entry: an address or a range of addresses. */
function isAllowEntry(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32))
}

/** How webhooks go wrong, and how often each is tried. The contract has no schedule; these are the venue's own. */
const WebhookFaultsSchema = z.strictObject({
  duplicate: probability,
  lost: probability,
  late: probability,
  lateMs: durationMs.default(60_000),
  reordered: probability,
  /** The money moves, and its event is emitted, before the request is answered. */
  beforeAnswer: probability,
})

/** Everything of the partner API that a caller can set, at the start or by `POST /sandbox/partner/settings`. */
export const PartnerSettingsSchema = z.strictObject({
  capabilities: z.array(z.enum(PARTNER_CAPABILITIES)).default([...PARTNER_CAPABILITIES]),
  kyb: z.enum(['approved', 'pending']).default('approved'),
  /** Whether the partner may attest the identity of its users. */
  reliance: z.boolean().default(true),
  /** Source addresses that may use the key; empty = every one. */
  allowList: z.array(z.string().refine(isAllowEntry, 'no address and no range of addresses')).default([]),
  /** Delay from the acceptance of a simulated transaction to its end. */
  settleMs: durationMs.default(3_000),
  /** Whether bank transfers and till payments arrive automatically, as in the operator's sandbox; otherwise a control route pays them. */
  paysInstructions: z.boolean().default(true),
  /** How long an Idempotency-Key is remembered; null = until the venue ends. The contract has no figure. */
  keyLifeMs: durationMs.nullable().default(null),
  /** Routes below /v1 that ignore an Idempotency-Key, such as `/transfers`: a repeated request is another payment. */
  keysIgnored: z.array(z.string().startsWith('/')).default([]),
  /** Whether the answer to a repeated key carries `Idempotent-Replayed: true`. The contract names no such header. */
  marksReplays: z.boolean().default(false),
  /** Whether POST /withdrawals insists on a quoteId (the contract's migration window, over or not). */
  quoteRequired: z.boolean().default(true),
  /** The ramp's margin on the mid, on both sides. The contract states no figure. */
  rampMarginBps: bps.default(100),
  /** The number of the current tariff for bills and tills: quotes of an earlier tariff are stale. */
  tariff: z.int().default(1),
  /** Status of insufficient_balance: the contract has both. */
  insufficientStatus: z.union([z.literal(400), z.literal(402)]).default(400),
  /** Code of the sandbox's own limits: the contract shows none. */
  limitCode: z.enum(SIMULATED_PARTNER_CODES).default('amount_too_large'),
  fees: z
    .strictObject({
      transferBps: bps.default(0),
      payoutPlatformBps: bps.default(0),
      phoneRailBps: bps.default(50),
      phoneRailLeastTzs: wholeTzs.default(300),
      bankRailTzs: wholeTzs.default(1_500),
      operatorTzs: wholeTzs.default(200),
    })
    .prefault({}),
  /** The limits on a user's shilling transfers, whole TZS; absent = no cap, and at the measured venue 1,000,000 and 2,000,000. */
  transferCaps: z
    .strictObject({ perTransactionTzs: wholeTzs.nullable(), perDayTzs: wholeTzs.nullable() })
    .optional(),
  /** Services out of order: the rail's own refusal is answered, and nothing moves. */
  outOfOrder: z.array(z.enum(OUT_OF_ORDER)).default([]),
  /** Destinations (digits, account numbers, addresses) that compliance blocks. */
  blocked: z.array(z.string().min(1)).default([]),
  /** Difference from the chain's supply in whole shillings, as GET /reconcile shows it. */
  supplyDifferenceTzs: z.int().default(0),
  /** Delay of GET /reconcile for each wallet, because it reads them all. */
  reconcileMsAWallet: durationMs.default(0),
  webhooks: WebhookFaultsSchema.prefault({}),
})
export type SimulatedPartnerSettings = z.output<typeof PartnerSettingsSchema>

/** The partner API of one sandbox. */
export const PartnerOptionsSchema = z.strictObject({
  apiKey: z.string().startsWith('svc_test_').default('svc_test_sandbox'),
  webhookSecret: z.string().min(1).default('whsec_test_sandbox'),
  /** The URL for the events of the two configured keys and of every key that signs up; null = not posted. */
  webhookUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  /** A live key in addition to the test key: commerce answers, the test-mode routes do not. */
  liveKey: z.string().startsWith('svc_live_').nullable().default(null),
  /** Of each key, on the caller's clock. The contract has no figure. */
  requestsPerMinute: z.int().min(1).default(600),
  /** The ramp float of a test key, from the start and after sign-up. */
  floatUsdc: amountOf('USDC', '1000'),
  /** The platform wallet's opening balance. */
  platformNtzs: amountOf('NTZS', '0'),
  /** The user whose wallet is the treasury of the liquidity provider. */
  owner: z
    .strictObject({
      externalId: z.string().min(1).default('treasury'),
      email: z.email().default('treasury@sandbox.invalid'),
      name: z.string().min(1).default('Sandbox provider'),
      phone: z
        .string()
        .regex(/^255[67]\d{8}$/)
        .default('255754000111'),
      nidaNumber: z
        .string()
        .regex(/^\d{20}$/)
        .default('19900101141210000118'),
      NTZS: amountOf('NTZS', '0'),
      USDC: amountOf('USDC', '0'),
    })
    .prefault({}),
  /** The limit of each key, on the caller's clock. The contract has no figure. */
  webhookRetries: z.int().min(0).max(20).default(5),
  webhookRetryMs: durationMs.default(1_000),
  /** The form of a webhook's timestamp: the contract does not show it. */
  webhookTimestamp: z.enum(['seconds', 'milliseconds', 'iso']).default('seconds'),
  settings: PartnerSettingsSchema.prefault({}),
})
export type SimulatedPartnerOptions = z.output<typeof PartnerOptionsSchema>
