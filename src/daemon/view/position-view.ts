import { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import { inputNames, type LastQuestion } from '../../core/engine/decision/inputs-read.ts'
import type { EngineState } from '../../core/engine/model/state.ts'
import { unreadableTexts } from '../../core/ledger/reconciliation/unreadable.ts'
import { formatTokens } from '../../base/money/asset.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { budgetRemaining, effectiveLimit } from '../../core/pacing/budget.ts'
import { createReview } from '../../core/risk/latch.ts'
import { decisionSchema } from './decision-view.ts'
import { asset, decimal, ms, type Shown } from './fields.ts'
import { ledgerFields, ledgerView } from './ledger-view.ts'
import { marketFields, marketView } from './market-view.ts'
import { challengerSchema } from './challenger-view.ts'
import { recalibrationSchema } from './results/recalibration-view.ts'
import { riskSchema } from './results/risk-view.ts'
import { scorecardSchema } from './scorecard-view.ts'
import { rfqSchema, rfqView } from './rfq-view.ts'
import { liveSchema, liveView } from './stop-view.ts'
import { whyStillLeaving } from '../../core/engine/activation/leaving.ts'
import { whyMissing } from '../../core/engine/activation/reconcile-activation.ts'
import { midAge } from '../../core/market/market-state.ts'

/** Grows when a field of the state changes its name or its meaning. 1, which had no number, was that of 0.1.0. */
const SCHEMA = 2

const withdrawal = z.object({
  key: z.string(),
  asset,
  amount: decimal,
  toAddress: z.string(),
  who: z.string(),
  /** `waiting` = for its approval; `approved` = for the end of the cool-off; `sent` and `unknown` = for an answer. */
  stage: z.enum(['waiting', 'approved', 'sent', 'unknown']),
  requestedAt: ms,
  approvedBy: z.string().nullable(),
  /** When it is sent, once approved. */
  sendAt: ms.nullable(),
  /** Since when a halt holds it until another approval; null = not held. */
  heldAt: ms.nullable(),
})
export type WithdrawalView = Shown<z.infer<typeof withdrawal>>

/**
 * What a position shows to people and scripts: the JSON of `GET /api/v1/state`. Null and absent mean
 * *unknown*, never zero. Ratios, bps, ages and counts are numbers; everything that is money is text.
 */
export const viewSchema = z.object({
  schema: z.literal(SCHEMA).describe('The version of these fields.'),
  name: z.string(),
  mode: z.enum(['live', 'dry-run']),
  simulation: z
    .string()
    .nullable()
    .describe('How a simulated venue describes itself; null = a real venue, or no answer yet.'),
  version: z.string(),
  /** When this process took over the position, and when this view was created. */
  startedAt: ms,
  now: ms,
  tradingState: z.enum(['ACTIVE', 'REDUCING', 'HALTED']),
  /** Why the state is not ACTIVE, or other problems; one sentence each, the most severe first. */
  reasons: z.array(z.string()),
  paused: z.boolean(),
  live: liveSchema,
  ...marketFields,
  ...ledgerFields,
  budget: z.object({ limit: z.number(), effective: z.number(), remaining: z.number(), windowMs: ms }),
  /** The volume executed since an operator's last review, and who postponed the next one; null = `risk.reviewAfter` is off. */
  review: z
    .object({
      fills: z.int(),
      sameSideFills: z.int(),
      volumeUsd: decimal,
      override: z.object({ who: z.string(), why: z.string(), until: ms }).nullable(),
    })
    .nullable(),
  /** The position's lease state; null = no guard has ever answered. */
  guard: z
    .object({
      watch: z.enum(['unwatched', 'held', 'closing', 'lapsed', 'waiting']),
      why: z.string(),
      since: ms,
      fence: z.int().nullable(),
    })
    .nullable(),
  strategy: z.object({
    use: z.string(),
    params: z.unknown(),
    /** Why the strategy is suspended; null = it is not. */
    suspended: z.string().nullable(),
  }),
  /** Operator settings on top of the file, by path; already included in `params` and the limits. Empty = none. */
  overrides: z.record(z.string(), z.unknown()),
  decision: decisionSchema.nullable(),
  /** Null = pooled capital. */
  rfq: rfqSchema.nullable(),
  /** Withdrawals that have not left or have no clear answer, oldest first. */
  withdrawals: z.array(withdrawal),
  /** Last week's results next to the calibration's expectation; null = no calibration. */
  scorecard: scorecardSchema.nullable(),
  /** The second strategy that runs in shadow; null = none is configured. */
  challenger: challengerSchema.nullable(),
  /** The latest result of `mizani risk`; null = no one looked for it. */
  risk: riskSchema.nullable(),
  /** The latest result of `mizani calibrate --judge`; null = no readable result. */
  recalibration: recalibrationSchema.nullable(),
  requestsFailed: z.int(),
  lastSeq: z.int(),
  digest: z.string(),
})
export type PositionView = Shown<z.infer<typeof viewSchema>>

const BUDGET_WINDOW_MS = 60_000

/** Returns a fresh view of a core's state that shares none of its objects. `question`: known only to a running core. */
export function buildView(
  state: EngineState,
  now: Ms,
  chain: { readonly seq: number; readonly digest: string },
  question: LastQuestion | null = null,
): PositionView {
  const { config, latch, pacing } = state
  return {
    schema: SCHEMA,
    name: config.name,
    mode: config.mode,
    simulation: null,
    version: state.version,
    startedAt: state.processStartedAt,
    now,
    tradingState: latch.halted === null ? (state.decision?.tradingState ?? 'REDUCING') : 'HALTED',
    reasons: reasonsOf(state),
    paused: latch.paused !== null,
    live: liveView(state),
    ...marketView(state, now),
    ...ledgerView(state, now),
    budget: {
      limit: config.pacing.requestsPerMinute,
      effective: effectiveLimit(pacing, config.pacing, now),
      remaining: budgetRemaining(pacing, config.pacing, now),
      windowMs: BUDGET_WINDOW_MS,
    },
    review: reviewView(state),
    guard: guardView(state),
    strategy: {
      use: config.strategy.use,
      params: config.strategy.params,
      suspended: state.strategy.suspended,
    },
    overrides: state.overrides,
    decision: question === null ? null : decisionView(question),
    rfq: rfqView(state, now),
    withdrawals: withdrawalsView(state),
    scorecard: null,
    challenger: null,
    risk: null,
    recalibration: null,
    requestsFailed: state.failedRequests,
    lastSeq: chain.seq,
    digest: chain.digest,
  }
}

function decisionView({ askedAt, cause, inputs }: LastQuestion): PositionView['decision'] {
  return { askedAt, cause, inputs: [...inputNames(inputs)] }
}

export function reasonsOf({ latch, decision }: EngineState): string[] {
  const reasons = latch.halted === null ? [] : [`halted: ${latch.halted.why}`]
  for (const finding of decision?.findings ?? []) reasons.push(`${finding.rule}: ${finding.message}`)
  return reasons
}

function guardView({ guard }: EngineState): PositionView['guard'] {
  if (guard === undefined) return null
  const { watch, why, since, fence } = guard
  return { watch, why, since, fence }
}

function reviewView({ review, config }: EngineState): PositionView['review'] {
  if (config.risk.reviewAfter === null) return null
  const { fills, sameSideFills, usd18, override } = review ?? createReview(0)
  return { fills, sameSideFills, volumeUsd: formatDecimalText(usd18, 18), override }
}

function withdrawalsView({ withdrawals }: EngineState): readonly WithdrawalView[] {
  return withdrawals.requests.flatMap(({ by: _by, amount, stage, heldAt = null, ...request }) =>
    stage === 'waiting' || stage === 'approved' || stage === 'sent' || stage === 'unknown'
      ? [{ ...request, stage, heldAt, amount: formatTokens(amount, request.asset) }]
      : [],
  )
}

export type Readiness = { readonly ready: boolean; readonly why: readonly string[] }

/** Ready: a strategy that is asked, a fresh mid, reconciled balances, a known quote. `why` names what is missing. */
export function readiness(state: EngineState, now: Ms): Readiness {
  const { market, reconciliation, quoting, config, strategy } = state
  const why: string[] = []
  if (strategy.suspended !== null) why.push(`the strategy is suspended: ${strategy.suspended}`)
  const age = midAge(market, now)
  const { maxMidAgeMs } = config.risk
  if (market.mid === null) why.push('no mid was seen yet')
  else if (market.problem !== null) why.push(`the mid is not usable: ${market.problem}`)
  else if (age !== null && maxMidAgeMs !== null && age > maxMidAgeMs) why.push('the mid is too old')
  const unreadable = unreadableTexts(reconciliation)
  for (const figure of unreadable) why.push(`the venue's answers cannot be read: ${figure}`)
  if (reconciliation.state !== 'reconciled' && !unreadable.includes(reconciliation.why))
    why.push(`balances are not reconciled: ${reconciliation.why}`)
  if (config.rfq !== null) {
    if (state.orders.blocked !== null) why.push(`no order is signed: ${state.orders.blocked}`)
  } else if (state.activation.missing) why.push(`not in the market: ${whyMissing(state)}`)
  else if (state.activation.leaving) why.push(`leaving the market: ${whyStillLeaving(state)}`)
  else if (quoting.status !== 'confirmed') why.push(`the quote is ${quoting.status}: ${quoting.why}`)
  return { ready: why.length === 0, why }
}
