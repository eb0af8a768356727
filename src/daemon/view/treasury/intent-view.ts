import { z } from 'zod'
import { agreedBy, envelopeText, isAgreed } from '../../../treasury/approvals/envelope.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import { type Intent, type Leg, LEG_KINDS, LEG_STAGES } from '../../../treasury/model/intent.ts'
import { decimal, ms, type Shown } from '../fields.ts'
import {
  attemptSchema,
  attemptView,
  evidenceSchema,
  evidenceView,
  intentTimelineOf,
  timelineSchema,
} from './intent-history.ts'
import { registeredFor, registeredSchema } from './payee-view.ts'
import { amountOrNull, direction, moneySchema, moneyText, place, rule, token } from './treasury-fields.ts'

const leg = z.object({
  kind: z.enum(LEG_KINDS),
  from: place,
  to: place,
  /** The amount sent: exact, or for a payout the maximum including all fees. */
  spend: moneySchema,
  leastReceived: moneySchema,
  payee: z.string().nullable(),
  stage: z.enum(LEG_STAGES),
  /** The name that the venue shows for the account or phone with a price. */
  recipientName: z.string().nullable(),
  quoteExpiresAt: ms.nullable(),
  resourceId: z.string().nullable(),
  /** A bank reference or a transaction's hash. */
  reference: z.string().nullable(),
  /** The action that a person must take, in the venue's words. */
  instructions: z.string().nullable(),
  received: decimal.nullable(),
  feeTzs: decimal.nullable(),
  sentAt: ms.nullable(),
  endedAt: ms.nullable(),
  why: z.string(),
  /** Every sending of it, with the exact body. */
  attempts: z.array(attemptSchema),
  /** For a claim: the evidence of the finders, which is not proof. */
  evidence: z.array(evidenceSchema),
})

export const intentSchema = z.object({
  id: z.string(),
  rule,
  asset: token,
  direction,
  route: z.string(),
  stage: z.enum([...LEG_STAGES, 'awaiting_approval', 'approved', 'held', 'waiting_for_funds']),
  why: z.string(),
  plannedAt: ms,
  endedAt: ms.nullable(),
  /** What an approval covers: the maximum amounts, and their canonical text, which `approve` repeats. */
  envelope: z.object({
    destination: z.string(),
    mostSpent: moneySchema,
    leastReceived: moneySchema,
    expiresAt: ms,
    policyHash: z.string(),
    text: z.string(),
  }),
  approval: z.object({
    isNeeded: z.boolean(),
    /** The tokens that have approved this envelope. */
    agreed: z.array(z.string()),
    missing: z.int(),
    /** The tokens that may not approve: the author of the current policy, and those that have approved. */
    excluded: z.array(z.string()),
    /** Nothing is sent before this. */
    notBefore: ms,
  }),
  orderedBy: z.string().nullable(),
  isHeld: z.boolean(),
  /** The payee's registered name; null = not looked up yet, or no outside payee. */
  recipientName: z.string().nullable(),
  /** The name with an explanation; null = not looked up, or no outside payee. */
  registered: registeredSchema.nullable(),
  expected: z.object({ costTzs: decimal, arrivesAt: ms, latestAt: ms, isLate: z.boolean() }),
  legs: z.array(leg),
  timeline: timelineSchema,
})
export type IntentView = Shown<z.infer<typeof intentSchema>>

export function intentView(state: TreasuryState, intent: Intent, now: number): IntentView {
  const { id, rule, asset, direction, route, stage, why, plannedAt, endedAt, envelope, expected } = intent
  const { destination, mostSpent, receiveAsset, leastReceived, expiresAt, policyHash } = envelope
  const registered = registeredFor(state, intent)
  const names = intent.legs.flatMap(({ quote }) => quote?.recipientName ?? [])
  return {
    id,
    rule,
    asset,
    direction,
    route,
    stage,
    why,
    plannedAt,
    endedAt,
    envelope: {
      destination,
      mostSpent: moneyText(mostSpent, envelope.asset),
      leastReceived: moneyText(leastReceived, receiveAsset),
      expiresAt,
      policyHash,
      text: envelopeText(envelope),
    },
    approval: approvalOf(state, intent),
    orderedBy: intent.orderedBy,
    isHeld: intent.isHeld,
    recipientName: names.at(-1) ?? registered?.name ?? null,
    registered,
    expected: {
      costTzs: formatTokens(expected.cost, 'NTZS'),
      arrivesAt: expected.arrivesAt,
      latestAt: expected.latestAt,
      isLate: endedAt === null && now > expected.latestAt,
    },
    legs: intent.legs.map(legView),
    timeline: intentTimelineOf(intent),
  }
}

function approvalOf(state: TreasuryState, intent: Intent): IntentView['approval'] {
  const agreed = agreedBy(state, intent)
  const { author, config } = state
  return {
    isNeeded: intent.needsApproval,
    agreed,
    missing: isAgreed(state, intent) ? 0 : config.approval.people - agreed.length,
    excluded: [...new Set([...(author === null ? [] : [author]), ...agreed])],
    notBefore: intent.notBefore,
  }
}

function legView(one: Leg): IntentView['legs'][number] {
  const { kind, from, to, payee, stage, quote, resourceId, reference, instructions, why } = one
  return {
    kind,
    from,
    to,
    spend: moneyText(quote?.spend ?? one.amount, one.asset),
    leastReceived: moneyText(one.leastReceived, one.receiveAsset),
    payee,
    stage,
    recipientName: quote?.recipientName ?? null,
    quoteExpiresAt: quote?.expiresAt ?? null,
    resourceId,
    reference,
    instructions,
    received: amountOrNull(one.received, one.receiveAsset),
    feeTzs: amountOrNull(one.fee, 'NTZS'),
    sentAt: one.sentAt,
    endedAt: one.endedAt,
    why,
    attempts: one.attempts.map(attemptView),
    evidence: one.stage === 'claim' ? (one.evidence ?? []).map(evidenceView) : [],
  }
}
