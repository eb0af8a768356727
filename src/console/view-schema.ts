import { z } from 'zod'
import type { PositionView } from '../view/position-view.ts'

const ms = z.int().describe('Milliseconds; moments since the epoch.')
const bps = z.number()
const decimal = z.string().describe('An exact amount or rate as the shortest plain decimal.')
const side = z.enum(['bid', 'ask'])
const asset = z.enum(['NTZS', 'USDC', 'USDT', 'USDT.bnb'])
const stable = z.enum(['USDC', 'USDT', 'USDT.bnb'])
const hex = z.templateLiteral(['0x', z.string()])
const perAsset = <T extends z.ZodType>(value: T) =>
  z.object({
    NTZS: z.exactOptional(value),
    USDC: z.exactOptional(value),
    USDT: z.exactOptional(value),
    'USDT.bnb': z.exactOptional(value),
  })
const amounts = perAsset(decimal).describe('Whole tokens by asset; absent = unknown, not zero.')

const quote = z.object({
  believed: z.enum(['known', 'unknown', 'differs']),
  bidBps: bps.nullable(),
  askBps: bps.nullable(),
  quoteBid: z.boolean().nullable(),
  quoteAsk: z.boolean().nullable(),
  confirmedAt: ms.nullable(),
  target: z.object({ bidBps: bps.nullable(), askBps: bps.nullable() }).nullable(),
  because: z.array(z.string()),
})

const perToken = z.object({
  postedSpread: decimal,
  staleMid: decimal,
  inventory: decimal,
  edgeUsd: decimal,
})

const pnl = z.object({
  tzs: z.object({
    postedSpread: decimal,
    staleMid: decimal,
    inventory: decimal,
    costs: decimal,
    unexplained: decimal,
    total: decimal,
  }),
  usd: z.object({
    edge: decimal,
    inventory: decimal,
    costs: decimal,
    unexplained: decimal,
    total: decimal,
  }),
  residual: z.object({ tzs: decimal, usd: decimal }),
  perToken: z.object({
    USDC: z.exactOptional(perToken),
    USDT: z.exactOptional(perToken),
    'USDT.bnb': z.exactOptional(perToken),
  }),
})

const fill = z.object({
  id: z.string(),
  at: ms.nullable(),
  seenAt: ms,
  side,
  amountIn: decimal,
  inAsset: asset,
  amountOut: decimal,
  outAsset: asset,
})

const order = z.object({
  salt: z.string(),
  hash: hex.nullable(),
  side,
  stable,
  usd: decimal,
  remainingUsd: decimal,
  priceTzs: decimal,
  expiresAt: ms,
  phase: z.enum(['reserving', 'placing', 'open', 'unknown', 'refused', 'cancelling']),
  status: z.enum(['INVALID', 'FILLABLE', 'FILLED', 'CANCELLED', 'EXPIRED']).nullable(),
})

const rfq = z.object({
  custody: z.literal('self'),
  solver: hex.nullable(),
  blocked: z.string().nullable(),
  chain: z.object({ block: z.string(), ageMs: ms, gasGwei: decimal }).nullable(),
  clockOffsetMs: z.object({ venue: ms.nullable(), chain: ms.nullable() }),
  requestShare: z.object({ limit: z.number(), used: z.number() }),
  promised: amounts,
  free: amounts,
  balances: amounts,
  allowances: amounts,
  orders: z.array(order),
  counts: z.object({
    signed: z.int(),
    filled: z.int(),
    rejected: z.int(),
    cancelled: z.int(),
    expired: z.int(),
  }),
})

const reference = z.object({
  standsAlone: z.boolean().describe("No feed is live: the venue's word stands alone."),
  mid: decimal.nullable(),
  errorBps: bps.nullable(),
  deviationBps: bps.nullable(),
  limitBps: bps.nullable(),
  feeds: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['live', 'waiting', 'silent', 'frozen', 'implausible', 'outvoted', 'venue']),
      mid: decimal.nullable(),
      ageMs: ms.nullable(),
      datedAt: ms.nullable(),
      weight: z.number(),
      problem: z.string().nullable(),
    }),
  ),
})

const competitor = z.object({ bps, ageMs: ms }).nullable()

/** The JSON of a position, as the console describes it; `PositionView` is what it must be. */
export const viewSchema = z.object({
  name: z.string(),
  mode: z.enum(['live', 'dry-run']),
  version: z.string(),
  startedAt: ms,
  now: ms,
  tradingState: z.enum(['ACTIVE', 'REDUCING', 'HALTED']),
  reasons: z.array(z.string()),
  paused: z.boolean(),
  mid: decimal.nullable(),
  midAgeMs: ms.nullable(),
  quotable: z.boolean().nullable(),
  fairValue: decimal.nullable(),
  reference,
  isActive: z.boolean().nullable(),
  missing: z.object({ since: ms, why: z.string() }).nullable(),
  quote,
  balances: amounts,
  pool: amounts,
  wallet: amounts,
  inventory: z.object({
    usdShare: z.number().nullable(),
    target: z.number(),
    deviation: z.number().nullable(),
  }),
  bounds: z.object({
    minBps: bps,
    maxBps: bps,
    safeBps: bps,
    maxMidAgeMs: ms.nullable(),
    inventory: perAsset(z.object({ min: decimal.nullable(), max: decimal.nullable() })),
  }),
  pnl: pnl.nullable(),
  completeness: z.object({
    state: z.enum(['complete', 'checking', 'gap']),
    since: ms.nullable(),
    why: z.string(),
    unexplained: amounts,
    provenAgeMs: ms.nullable(),
  }),
  budget: z.object({ limit: z.number(), effective: z.number(), remaining: z.number(), windowMs: ms }),
  competition: z.object({ bid: competitor, ask: competitor }),
  fills: z.object({
    total: z.int(),
    bid: z.int(),
    ask: z.int(),
    volumeUsd: decimal,
    last: z.array(fill),
  }),
  review: z
    .object({
      fills: z.int(),
      sameSideFills: z.int(),
      volumeUsd: decimal,
      override: z.object({ who: z.string(), why: z.string(), until: ms }).nullable(),
    })
    .nullable(),
  strategy: z.object({ use: z.string(), params: z.unknown(), suspended: z.string().nullable() }),
  rfq: rfq.nullable(),
  withdrawals: z.array(
    z.object({
      key: z.string(),
      asset,
      amount: decimal,
      toAddress: z.string(),
      who: z.string(),
      stage: z.enum(['waiting', 'approved', 'sent', 'unknown']),
      requestedAt: ms,
      approvedBy: z.string().nullable(),
      sendAt: ms.nullable(),
    }),
  ),
  feeModel: z.string(),
  requestsFailed: z.int(),
  lastSeq: z.int(),
  digest: z.string(),
}) satisfies z.ZodType<PositionView>
