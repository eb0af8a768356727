import { z } from 'zod'
import { type Asset, ASSETS, parseAmount } from '../../../base/money/asset.ts'
import { parseRate } from '../../../base/money/rate.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { readCanonical } from './canonical.ts'

/** The form of a close, also the namespace's version of its signature. */
export const FORMAT = 'mizani-close/1'

const decimal = z.string().regex(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
const count = z.int().min(0)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)
const moment = z.iso.datetime({ precision: 3 })
const asset = z.enum(ASSETS)
const rate = decimal.refine((text) => parseRate(text).ok, 'no rate')
const amountOf = (token: Asset) => decimal.refine((text) => parseAmount(text).ok, `no amount of ${token}`)
/** Units of one token that moved to (+) or from (-) an account, or that an account holds. */
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
  /** The venue's mid when it was booked; null = none was known. */
  mid: rate.nullable(),
  /** The mid that the venue priced its fill from; null = not known, or no fill. */
  fillMid: rate.nullable(),
  postings: z.array(
    z
      .strictObject({ account: z.enum(ACCOUNTS), asset, amount: decimal })
      .refine(isExact, 'no amount of its token'),
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
    /** Null = it was sent without one. */
    key: z.string().nullable(),
    asset,
    amount: decimal,
    to: z.string().nullable(),
    who: z.string().nullable(),
    stage: z.enum(['waiting', 'approved', 'sent', 'unknown']),
    /** When it came to this stage. */
    since: moment,
    /** When an approved one leaves. */
    leavesAt: moment.nullable(),
  })
  .refine(({ amount }) => parseAmount(amount).ok, 'no amount of its token')
export type CloseWithdrawal = z.infer<typeof withdrawal>

const treasury = z.strictObject({
  journal: z.strictObject({ first: count, last: count, sha256: hash }),
  /** Whether the accountants' text of this day opens its accounts there; absent = it is not in that text. */
  inBooks: z.enum(['begins', 'goes-on']).optional(),
  accounts: z.array(
    z
      .strictObject({ account: z.string(), asset, opening: decimal, closing: decimal })
      .refine(isExact, 'no amount of its token'),
  ),
  entries: z.array(
    z.strictObject({
      at: moment,
      intent: z.string(),
      reason: z.string(),
      postings: z.array(
        z
          .strictObject({ account: z.string(), asset, amount: decimal })
          .refine(isExact, 'no amount of its token'),
      ),
    }),
  ),
  /** Intents that have not ended, claims among them. */
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

/** Software and controls that made the close. Not part of the day: closing the day again does not compare it. */
const evidence = z.strictObject({
  /** Of the configuration's text as it is written. */
  configurationSha256: hash,
  strategy: z.strictObject({ use: z.string(), sourceHash: z.string() }),
  /** The list of every package of this build: an SBOM, or the lock file of a checkout. */
  packages: z.strictObject({ file: z.string(), sha256: hash }),
  /** What `mizani controls` reports, without tests; a value of null = missing. */
  controls: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(z.string()),
      value: z.string().nullable(),
      lastDrill: z.strictObject({ name: z.string(), at: moment, passed: z.boolean() }).nullable(),
    }),
  ),
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
  /** What made it; closes that an earlier mizani wrote have none. */
  evidence: evidence.optional(),
  /** Null = the first close of its folder. */
  previous: z.strictObject({ day, sha256: hash }).nullable(),
  /** The positions of the fleet that it was closed with, each with a folder of closes beside this one; absent = it is of none. */
  fleet: z.array(z.string()).optional(),
  /** The day's events; `last` = `first` - 1 is a day without one. Null = retention has dropped some of them. */
  journal: z.strictObject({ first: count, last: count, sha256: hash.nullable() }),
  /** The venue's mid at both ends. */
  mids: z.strictObject({ opening: rate.nullable(), closing: rate.nullable() }),
  accounts: z.strictObject({ opening: accounts, closing: accounts }),
  entries: z.array(entry),
  /** As `mizani export --what fills` writes them. */
  fills: z.array(z.record(z.string(), cell)),
  /**
   * Fills of the day that a reorganisation took back after it and before it was closed: the entry that took each back, which
   * is in a later close. Their rows are not kept. Absent = none.
   */
  undoneLater: z.array(z.strictObject({ fillId: z.string(), number: count, seq: count })).optional(),
  /** Null = no mid is known: it cannot be valued. */
  pnl: pnl.nullable(),
  openOrders: z.array(openOrder),
  /** Withdrawals under way at the end; closes that an earlier mizani wrote do not have it. */
  withdrawals: z.array(withdrawal).optional(),
  /** What was in force at the end; null = nothing was observed yet. */
  standing: z.strictObject({
    tradingState: z.string().nullable(),
    isActive: z.boolean().nullable(),
    reconciliation: z
      .strictObject({ state: z.string(), why: z.string(), unreconciled: z.partialRecord(asset, decimal) })
      .nullable(),
    quote: z.record(z.string(), cell).nullable(),
    strategy: z.strictObject({ use: z.string(), sourceHash: z.string() }).nullable(),
  }),
  /** What operators did in the day; `head` is that of the store's chain of actions, at the end of the day. */
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
  /** Null = the position has none. */
  treasury: treasury.nullable(),
  /** What was written beside it. */
  files: z.array(z.strictObject({ name: z.string(), sha256: hash })),
})
export type CloseDocument = z.infer<typeof closeSchema>
/** A close before the files beside it are rendered. */
export type CloseBody = Omit<CloseDocument, 'files'>

/** A close as it was written; the error explains why it is invalid. */
export function readClose(bytes: Buffer): Result<CloseDocument, string> {
  const text = bytes.toString('utf8')
  const read = Buffer.from(text).equals(bytes) ? readCanonical(text) : null
  if (read === null) return err('the document is not canonical JSON: it is not as it was written')
  const parsed = closeSchema.safeParse(read.value, { jitless: true })
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  return err(`the document is no close of this version: ${issue?.path.join('.')}: ${issue?.message}`)
}
