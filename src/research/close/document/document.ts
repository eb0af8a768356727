import { z } from 'zod'
import { type Asset, ASSETS, parseAmount } from '../../../base/money/asset.ts'
import { parseRate } from '../../../base/money/rate.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { readCanonical } from './canonical.ts'

/** The format of a close, also the version in its signature's namespace. */
export const FORMAT = 'mizani-close/1'

const decimal = z.string().regex(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
const count = z.int().min(0)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)
const moment = z.iso.datetime({ precision: 3 })
const asset = z.enum(ASSETS)
const rate = decimal.refine((text) => parseRate(text).ok, 'no rate')
const amountOf = (token: Asset) => decimal.refine((text) => parseAmount(text).ok, `not an amount of ${token}`)
/** Units of one token that an account holds, or that moved to (+) or from (-) it. */
const isExact = ({ asset: _token, ...texts }: { readonly asset: Asset; readonly [key: string]: string }) =>
  Object.entries(texts).every(([key, text]) => key === 'account' || parseAmount(text).ok)

/** Accounts of the books; `pool` and `wallet` are ours. */
export const ACCOUNTS = [
  'pool',
  'wallet',
  'opening',
  'trading',
  'fees',
  'external',
  'adjustments',
] as const satisfies readonly string[]
export type Account = (typeof ACCOUNTS)[number]

const amounts = z.strictObject({
  NTZS: amountOf('NTZS'),
  USDC: amountOf('USDC'),
  USDT: amountOf('USDT'),
  'USDT.bnb': amountOf('USDT.bnb'),
})
const accounts = z.record(z.enum(ACCOUNTS), amounts)
export type AccountTexts = z.infer<typeof accounts>

const entry = z.strictObject({
  number: count,
  seq: count,
  at: moment,
  kind: z.enum([
    'opening',
    'fill',
    'fill-undone',
    'fee-correction',
    'chain-correction',
    'venue-rounding',
    'deposit',
    'withdrawal',
    'sweep',
    'adjustment',
  ]),
  reason: z.string(),
  fillId: z.string().nullable(),
  /** The venue's mid at booking; null = unknown. */
  mid: rate.nullable(),
  /** The mid at which the venue priced its fill; null = unknown, or not a fill. */
  fillMid: rate.nullable(),
  postings: z.array(
    z
      .strictObject({ account: z.enum(ACCOUNTS), asset, amount: decimal })
      .refine(isExact, 'not an amount of its token'),
  ),
})
export type CloseEntry = z.infer<typeof entry>

const cell = z.union([z.string(), z.int(), z.boolean(), z.null()])

const tzs = z.strictObject({
  opening: decimal,
  openings: decimal,
  transfers: decimal,
  spreadCapture: decimal,
  staleMid: decimal,
  inventory: decimal,
  costs: decimal,
  unreconciled: decimal,
  total: decimal,
  closing: decimal,
  residual: decimal,
})
const usd = tzs.omit({ spreadCapture: true, staleMid: true }).extend({ edge: decimal })
const pnl = z.strictObject({ tzs, usd })
export type PnlTexts = z.infer<typeof pnl>

const openOrder = z.strictObject({
  salt: z.string(),
  side: z.string(),
  stable: z.string(),
  usd: decimal,
  priceTzs: decimal,
  reservedAt: moment,
  expiresAt: moment,
  hash: z.string().nullable(),
})
export type CloseOrder = z.infer<typeof openOrder>

const withdrawal = z
  .strictObject({
    /** Null = sent without a key. */
    key: z.string().nullable(),
    asset,
    amount: decimal,
    to: z.string().nullable(),
    who: z.string().nullable(),
    stage: z.enum(['waiting', 'approved', 'sent', 'unknown']),
    /** When it reached this stage. */
    since: moment,
    /** When an approved one is sent. */
    leavesAt: moment.nullable(),
  })
  .refine(({ amount }) => parseAmount(amount).ok, 'not an amount of its token')
export type CloseWithdrawal = z.infer<typeof withdrawal>

const treasury = z.strictObject({
  journal: z.strictObject({ first: count, last: count, sha256: hash }),
  /** Whether the accountants' text of this day opens its accounts; absent = it is not in that text. */
  inBooks: z.enum(['begins', 'goes-on']).optional(),
  accounts: z.array(
    z
      .strictObject({ account: z.string(), asset, opening: decimal, closing: decimal })
      .refine(isExact, 'not an amount of its token'),
  ),
  entries: z.array(
    z.strictObject({
      at: moment,
      intent: z.string(),
      reason: z.string(),
      postings: z.array(
        z
          .strictObject({ account: z.string(), asset, amount: decimal })
          .refine(isExact, 'not an amount of its token'),
      ),
    }),
  ),
  /** Intents that have not ended, including claims. */
  open: z.array(
    z.strictObject({
      intent: z.string(),
      rule: z.string(),
      route: z.string(),
      stage: z.string(),
      plannedAt: moment,
      legs: z.array(
        z.strictObject({
          kind: z.string(),
          from: z.string(),
          to: z.string(),
          stage: z.string(),
          asset,
          amount: decimal,
          reference: z.string().nullable(),
        }),
      ),
    }),
  ),
})
export type CloseTreasury = z.infer<typeof treasury>

/** Software and controls that produced the close. Not part of the day: a repeated close does not compare it. */
const evidence = z.strictObject({
  /** Hash of the configuration file's text. */
  configurationSha256: hash,
  strategy: z.strictObject({ use: z.string(), sourceHash: z.string() }),
  /** The package list of this build: an SBOM, or a checkout's lock file. */
  packages: z.strictObject({ file: z.string(), sha256: hash }),
  /** What `mizani controls` reports, without tests; null = missing. */
  controls: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(z.string()),
      value: z.string().nullable(),
      lastDrill: z.strictObject({ name: z.string(), at: moment, passed: z.boolean() }).nullable(),
    }),
  ),
  /** Expected shortfall of 99 % by `mizani risk`; null = unknown, absent in closes of earlier versions. */
  risk: z
    .strictObject({
      at: moment,
      isCalibrated: z.boolean(),
      losses: z.array(z.strictObject({ name: z.string(), usd: decimal, tzs: decimal })),
    })
    .nullish(),
})
export type CloseEvidence = z.infer<typeof evidence>

const closeSchema = z.strictObject({
  format: z.literal(FORMAT),
  position: z.string(),
  day,
  timezone: z.string(),
  from: moment,
  to: moment,
  status: z.enum(['final', 'provisional']),
  closedAt: moment,
  software: z.string(),
  /** What produced it; absent in closes of earlier versions. */
  evidence: evidence.optional(),
  /** Null = the folder's first close. */
  previous: z.strictObject({ day, sha256: hash }).nullable(),
  /** The fleet's positions that were closed together, each with a folder next to this one; absent = not in a fleet. */
  fleet: z.array(z.string()).optional(),
  /** The day's events; `last` = `first` - 1 for a day without events. Null = retention has dropped some of them. */
  journal: z.strictObject({ first: count, last: count, sha256: hash.nullable() }),
  /** The venue's mid at both ends. */
  mids: z.strictObject({ opening: rate.nullable(), closing: rate.nullable() }),
  accounts: z.strictObject({ opening: accounts, closing: accounts }),
  entries: z.array(entry),
  /** As written by `mizani export --what fills`. */
  fills: z.array(z.record(z.string(), cell)),
  /**
   * Fills of the day that a reorganisation took back after the day and before this close: the entries in a later close
   * that took them back. Their rows are not kept. Absent = no such fills.
   */
  undoneLater: z.array(z.strictObject({ fillId: z.string(), number: count, seq: count })).optional(),
  /** Null = no mid is known, so it cannot be valued. */
  pnl: pnl.nullable(),
  openOrders: z.array(openOrder),
  /** Withdrawals in progress at the end; absent in closes of earlier versions. */
  withdrawals: z.array(withdrawal).optional(),
  /** What was in force at the end; null = nothing observed yet. */
  standing: z.strictObject({
    tradingState: z.string().nullable(),
    isActive: z.boolean().nullable(),
    reconciliation: z
      .strictObject({ state: z.string(), why: z.string(), unreconciled: z.partialRecord(asset, decimal) })
      .nullable(),
    quote: z.record(z.string(), cell).nullable(),
    strategy: z.strictObject({ use: z.string(), sourceHash: z.string() }).nullable(),
  }),
  /** The operators' actions of the day; `head` is the store's action chain at the end of the day. */
  operators: z.strictObject({
    head: hash,
    actions: z.array(
      z.strictObject({
        seq: count,
        at: moment,
        who: z.string(),
        command: z.string(),
        accepted: z.boolean(),
        answer: z.string(),
        why: z.string(),
        sha256: hash,
      }),
    ),
  }),
  /** Null = the position has no treasury. */
  treasury: treasury.nullable(),
  /** The files written next to it. */
  files: z.array(z.strictObject({ name: z.string(), sha256: hash })),
})
export type CloseDocument = z.infer<typeof closeSchema>
/** A close before its files are rendered. */
export type CloseBody = Omit<CloseDocument, 'files'>

/** Parses a stored close; the error explains why it is invalid. */
export function readClose(bytes: Buffer): Result<CloseDocument, string> {
  const text = bytes.toString('utf8')
  const read = Buffer.from(text).equals(bytes) ? readCanonical(text) : null
  if (read === null) return err('the document is not canonical JSON: it was changed')
  const parsed = closeSchema.safeParse(read.value, { jitless: true })
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  return err(`the document is not a close of this version: ${issue?.path.join('.')}: ${issue?.message}`)
}
