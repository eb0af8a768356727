import { canCloseSides } from '../../core/quoting/quote-state.ts'
import { unclosable } from '../../core/risk/approve.ts'
import { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import { isStuck, knownActive, whyStillLeaving } from '../../core/engine/activation/leaving.ts'
import { whyMissing } from '../../core/engine/activation/reconcile-activation.ts'
import type { EngineState } from '../../core/engine/model/state.ts'
import { fairValue, referenceDeviationBps } from '../../core/market/fair-value.ts'
import { feedJudgement } from '../../core/engine/market/fair-shift.ts'
import { feedOf } from '../../core/market/feeds.ts'
import { midAge } from '../../core/market/market-state.ts'
import { ASSETS, formatAmount } from '../../base/money/asset.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../base/money/bps.ts'
import { formatRate, type Rate } from '../../base/money/rate.ts'
import { capabilitiesOf, capabilityFields } from './capability-view.ts'
import { executionOf, executionView } from './execution-view.ts'
import { liveBps } from '../../core/engine/market/routing-watch.ts'
import { bps, decimal, ms, amountsSchema, type Shown } from './fields.ts'

const judged = z.object({ value: z.number(), low: z.number(), high: z.number() })
const judgement = z
  .object({
    updates: z.int().describe('Updates of the mid that followed a day with readings.'),
    offsetBps: judged.describe(
      'Constant distance from the true rate, if there is one, with its 90 % interval.',
    ),
    offsetProbability: z.number().describe('Probability that there is an offset, 0..1.'),
    errorBps: judged,
    errorHalfLifeDays: judged,
    delayDays: judged,
    usedOffsetBps: bps.describe('The offset that the estimate of the fair value subtracts.'),
    isLeftOut: z.boolean().describe('The estimate ignores the feed: it predicts updates worse than no feed.'),
  })
  .nullable()
  .describe(
    'What later updates of the mid showed about it; null = unknown: no update yet, or no strategy reads fairShift.',
  )
export type JudgementView = Shown<NonNullable<z.infer<typeof judgement>>>

const feed = z.object({
  name: z.string(),
  status: z.enum(['live', 'waiting', 'silent', 'frozen', 'implausible', 'outvoted', 'venue']),
  mid: decimal.nullable(),
  /** Age of the last valid reading of this process; null = no reading yet. */
  ageMs: ms.nullable(),
  /** The source's own timestamp; null = the source gives none. */
  datedAt: ms.nullable(),
  weight: z.number(),
  /** Why the latest reading was rejected. */
  problem: z.string().nullable(),
  judgement,
})
export type FeedView = Shown<z.infer<typeof feed>>

/** What the reference feeds report. */
const reference = z.object({
  standsAlone: z.boolean().describe('No feed is live: only the venue names a mid.'),
  /** The weighted median of the live feeds; null = none is live. */
  mid: decimal.nullable(),
  errorBps: bps.nullable(),
  /** The deviation of the venue's mid above it. */
  deviationBps: bps.nullable(),
  /** `risk.maxReferenceDeviationBps`; null = off. */
  limitBps: bps.nullable(),
  feeds: z.array(feed),
})
export type ReferenceView = Shown<z.infer<typeof reference>>

const quote = z.object({
  status: z
    .enum(['confirmed', 'unknown', 'mismatch', 'not-sent'])
    .describe(
      'How far the figures can be trusted; they are the ones that the venue confirmed last. not-sent: figures of a dry run.',
    ),
  bidBps: bps.nullable(),
  askBps: bps.nullable(),
  quoteBid: z.boolean().nullable(),
  quoteAsk: z.boolean().nullable(),
  confirmedAt: ms.nullable(),
  /** The approved target; null bps = side off. */
  target: z.object({ bidBps: bps.nullable(), askBps: bps.nullable() }).nullable(),
  because: z.array(z.string()),
  /** Sides that should be closed but stay open at the widest spread, because the venue ignores side flags; null = none. */
  cannotClose: z.string().nullable(),
})
export type QuoteView = Shown<z.infer<typeof quote>>

/** The bounds that no strategy can exceed: the venue's and the configured limits. Null = no limit. */
const bounds = z.object({
  minBps: bps,
  maxBps: bps,
  /** Both sides at this spread is the safe quote. */
  safeBps: bps,
  maxMidAgeMs: ms.nullable(),
  /** Limits on holdings; only of assets that have limits. */
  inventory: amountsSchema(z.object({ min: decimal.nullable(), max: decimal.nullable() })),
})
type BoundsView = Shown<z.infer<typeof bounds>>

const competitor = z
  .object({
    bps,
    ageMs: ms,
    isOwn: z.boolean().describe('It is our own confirmed quote or an equal one: no rival is better.'),
  })
  .nullable()

/** The market and our quote in it, as fields of the position. */
export const marketFields = {
  /** TZS per USD. */
  mid: decimal.nullable(),
  midAgeMs: ms.nullable(),
  /** The mid that waits for a feed or a person (`resume --accept-mid`); null = none waits. */
  pendingMid: decimal.nullable(),
  execution: executionView,
  capabilities: z
    .array(capabilityFields)
    .describe('How the venue behaves where several behaviours are possible, as its answers have shown.'),
  quotable: z.boolean().nullable(),
  fairValue: decimal.nullable(),
  reference,
  isActive: z.boolean().nullable(),
  /** The position should be in the market but is not: since when and why; null = it is, or should not be. */
  missing: z.object({ since: ms, why: z.string() }).nullable(),
  /** A deactivation in progress: since when, and what is missing; null = no deactivation. */
  leaving: z
    .object({
      since: ms,
      why: z.string(),
      isRepeated: z
        .boolean()
        .describe('False: the venue does not return the rest, and no further request is sent.'),
    })
    .nullable(),
  quote,
  bounds,
  competition: z.object({ bid: competitor, ask: competitor }),
}
type MarketView = {
  readonly [Field in keyof typeof marketFields]: Shown<z.infer<(typeof marketFields)[Field]>>
}

export function marketView(state: EngineState, now: Ms): MarketView {
  const { market } = state
  const competitorOf = (which: 'bid' | 'ask') => {
    const seen = market.competition[which]
    return seen === null
      ? null
      : { bps: seen.bps, ageMs: now - seen.seenAt, isOwn: seen.bps === liveBps(state, which) }
  }
  return {
    mid: rateText(market.mid),
    midAgeMs: midAge(market, now),
    pendingMid: rateText(market.pending?.mid ?? null),
    execution: executionOf(state),
    capabilities: capabilitiesOf(state),
    quotable: market.quotable,
    fairValue: rateText(fairValue(market)),
    reference: referenceView(state, now),
    isActive: knownActive(state),
    missing: missingView(state),
    leaving: leavingView(state),
    quote: quoteView(state),
    bounds: boundsView(state),
    competition: { bid: competitorOf('bid'), ask: competitorOf('ask') },
  }
}

function referenceView(state: EngineState, now: Ms): ReferenceView {
  const { market, config } = state
  const { estimate } = market
  return {
    standsAlone: estimate === null,
    mid: rateText(estimate?.mid ?? null),
    errorBps: estimate?.errorBps ?? null,
    deviationBps: referenceDeviationBps(market),
    limitBps: config.risk.maxReferenceDeviationBps,
    feeds: config.feeds.flatMap(({ name, weight }): FeedView[] => {
      const read = feedOf(market.feeds, name)
      if (read === null) return []
      const { status, mid, readAt, datedAt, problem } = read
      const ageMs = readAt === null ? null : now - readAt
      const judgement = judgementView(feedJudgement(state, name))
      const text = problem?.text ?? null
      return [{ name, status, mid: rateText(mid), ageMs, datedAt, weight, problem: text, judgement }]
    }),
  }
}

export function judgementView(found: ReturnType<typeof feedJudgement>): JudgementView | null {
  if (found === null) return null
  const { terms, gain: _gain, ...figures } = found
  return { ...figures, usedOffsetBps: terms.offsetBps, isLeftOut: terms.isLeftOut }
}

function missingView(state: EngineState): MarketView['missing'] {
  const { missing } = state.activation
  return missing ? { since: missing.since, why: whyMissing(state) } : null
}

function leavingView(state: EngineState): MarketView['leaving'] {
  const { leaving } = state.activation
  const why = whyStillLeaving(state)
  return leaving === null || why === null
    ? null
    : { since: leaving.since, why, isRepeated: !isStuck(leaving) }
}

function quoteView({ quoting, approvedTarget, config }: EngineState): QuoteView {
  const { confirmed } = quoting
  const isDryRun = config.mode === 'dry-run'
  return {
    status: isDryRun ? 'not-sent' : quoting.status,
    bidBps: confirmed?.bidBps ?? null,
    askBps: confirmed?.askBps ?? null,
    quoteBid: confirmed?.quoteBid ?? null,
    quoteAsk: confirmed?.quoteAsk ?? null,
    confirmedAt: isDryRun ? null : quoting.confirmedAt,
    target: approvedTarget === null ? null : { bidBps: approvedTarget.bidBps, askBps: approvedTarget.askBps },
    because: approvedTarget?.because ?? ['nothing was decided yet'],
    cannotClose: approvedTarget === null ? null : unclosable(approvedTarget, !canCloseSides(quoting)),
  }
}

function boundsView({ config }: EngineState): BoundsView {
  const inventory: Record<string, BoundsView['inventory']['NTZS']> = {}
  for (const asset of ASSETS) {
    const limit = config.inventory.limits[asset]
    if (limit === undefined) continue
    const text = (amount: bigint | null) => (amount === null ? null : formatAmount(amount))
    inventory[asset] = { min: text(limit.min), max: text(limit.max) }
  }
  const { safeBps } = config.quote
  const { maxMidAgeMs } = config.risk
  return { minBps: MIN_SPREAD_BPS, maxBps: MAX_SPREAD_BPS, safeBps, maxMidAgeMs, inventory }
}

function rateText(rate: Rate | null): string | null {
  return rate === null ? null : formatRate(rate)
}
