import { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { formatRate } from '../../base/money/rate.ts'
import { type IdentityTerms, wholeIdentity } from '../../treasury/books/identity.ts'
import { exitLiquidity } from '../../treasury/core/exit-liquidity.ts'
import { sendingObstacle, type TreasuryState } from '../../treasury/state.ts'
import { spendOf } from '../../treasury/books/post-leg.ts'
import { isEnded } from '../../treasury/intents/legs.ts'
import type { Intent } from '../../treasury/model/intent.ts'
import type { Plan } from '../../treasury/model/plan-types.ts'
import { decimal, ms, type Shown } from './fields.ts'
import { holdingsSchema, holdingsView } from './treasury/holdings-view.ts'
import { intentSchema, intentView } from './treasury/intent-view.ts'
import { planSchema, planView } from './treasury/plan-view.ts'
import { rulesFields, rulesView, supplySchema, supplyView } from './treasury/rules-view.ts'
import { moneySchema, moneyText, perToken, tokenTexts } from './treasury/treasury-fields.ts'

/** Grows when a field changes its name or its meaning. */
const SCHEMA = 1
const MOST_ENDED = 100
/** Two days of flow from takers, next to the forecast. */
const FLOW_HOURS_SHOWN = 48

const TERMS = [
  'opening',
  'flows',
  'trading',
  'costs',
  'unreconciled',
  'inventory',
  'value',
  'residual',
] as const
const terms = z.object(
  Object.fromEntries(TERMS.map((name) => [name, decimal])) as Record<(typeof TERMS)[number], typeof decimal>,
)

const expectedPayment = z.object({
  intent: z.string(),
  /** Exactly this, with this reference. */
  amount: moneySchema,
  reference: z.string().nullable(),
  instructions: z.string(),
  by: ms,
  isOverdue: z.boolean(),
})

/** The JSON of `GET /api/v1/treasury`. Null = unknown, never zero. */
export const treasuryViewSchema = z.object({
  schema: z.literal(SCHEMA).describe('The version of these fields.'),
  mode: z.enum(['live', 'plan']).describe('plan: it plans and shows, but sends nothing.'),
  now: ms,
  startedAt: ms,
  /** The hash of everything that an approval depends on, and the token that loaded it; null = loaded at the start. */
  policy: z.object({
    hash: z.string(),
    author: z.string().nullable(),
    people: z.int().describe('The number of tokens that must approve.'),
    coolOffMs: ms.describe('From the approval to the first sending, if one person decides alone.'),
  }),
  /** Why sending is stopped; null = not stopped. */
  obstacle: z.string().nullable(),
  stop: z.object({ by: z.string(), who: z.string(), at: ms, why: z.string() }).nullable(),
  /** Balances that a person has to confirm after a restore. */
  unconfirmed: z.object({ since: ms, why: z.string() }).nullable(),
  mid: decimal.nullable(),
  quote: z.object({
    bidBps: z.number().nullable(),
    askBps: z.number().nullable(),
    isActive: z.boolean(),
    isHalted: z.boolean(),
  }),
  holdings: holdingsSchema,
  /** Hours of the last two days in which takers brought (+) or took (-). */
  flow: z.array(z.object({ at: ms, net: perToken })),
  /** Null = not read yet. */
  plan: planSchema.nullable(),
  /** Steps of the plan that the core refused, and why. */
  refusedSteps: z.array(z.object({ step: z.string(), why: z.string() })),
  /** Open intents, oldest first; then claims; then ended intents, newest first, at most 100. */
  intents: z.array(intentSchema),
  claims: z.array(intentSchema),
  ended: z.array(intentSchema),
  expectedPayments: z.array(expectedPayment),
  ...rulesFields,
  supply: supplySchema,
  /** The part of the desk's capital that could be withdrawn now, in TZS; null = it cannot be valued yet. */
  exit: z
    .object({
      ours: decimal,
      /** In wallets and floats of our own. */
      atHand: decimal,
      /** The amount that a deactivation would return. */
      fromPool: decimal,
      /** Under way or claimed. */
      waiting: decimal,
      homeBps: z.int().describe('At hand and from the pool in basis points of all that is ours.'),
    })
    .nullable(),
  /** value = opening + flows + trading + costs + unreconciled + inventory; null = there is no mid. */
  identity: z.object({ mid: decimal, held: perToken, tzs: terms, usd: terms }).nullable(),
})
export type TreasuryView = Shown<z.infer<typeof treasuryViewSchema>>

/** Returns a fresh view of a treasury that shares none of its objects. `plan`: what the policy would do now. */
export function buildTreasuryView(state: TreasuryState, plan: Plan | null, now: Ms): TreasuryView {
  const { config, stop, unconfirmed, policyHash, author, startedAt, mid, quote, refusedSteps } = state
  const intents = Object.values(state.intents)
  const shown = (some: typeof intents) => some.map((intent) => intentView(state, intent, now))
  const open = intents.filter(({ endedAt }) => endedAt === null)
  const ended = intents.filter(({ endedAt, stage }) => endedAt !== null && stage !== 'claim')
  return {
    schema: SCHEMA,
    mode: config.mode,
    now,
    startedAt,
    policy: {
      hash: policyHash,
      author,
      people: config.approval.people,
      coolOffMs: config.approval.people === 1 ? config.approval.coolOffMs : 0,
    },
    obstacle: sendingObstacle(state),
    stop: stop === null ? null : { ...stop },
    unconfirmed: unconfirmed === null ? null : { ...unconfirmed },
    mid: mid === null ? null : formatRate(mid),
    quote: { ...quote },
    holdings: holdingsView(state),
    flow: state.flow.hours
      .slice(-FLOW_HOURS_SHOWN)
      .map(({ at, flow }) => ({ at, net: tokenTexts((asset) => flow[asset]) })),
    plan: plan === null ? null : planView(plan),
    refusedSteps: Object.entries(refusedSteps).map(([step, why]) => ({ step, why })),
    intents: shown(open),
    claims: shown(intents.filter(({ endedAt, stage }) => endedAt !== null && stage === 'claim')),
    ended: shown(ended.toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0)).slice(0, MOST_ENDED)),
    expectedPayments: expectedPayments(open, now),
    ...rulesView(state),
    supply: supplyView(state),
    exit: exitView(state),
    identity: identityView(state),
  }
}

/** A payment requested from an outside person: amount, reference and deadline. */
function expectedPayments(open: readonly Intent[], now: Ms): TreasuryView['expectedPayments'] {
  return open.flatMap(({ id, legs, expected }) =>
    legs.flatMap((leg) => {
      const { instructions, reference } = leg
      if (instructions === null || isEnded(leg)) return []
      const amount = moneyText(spendOf(leg), leg.asset)
      const by = expected.latestAt
      return [{ intent: id, amount, reference, instructions, by, isOverdue: now > by }]
    }),
  )
}

export function exitView(state: TreasuryState): TreasuryView['exit'] {
  const exit = exitLiquidity(state, state.mid)
  if (exit === null) return null
  const { ours, atHand, fromPool, waiting, homeBps } = exit
  const text = (tzs: bigint) => formatDecimalText(tzs, 36)
  return {
    ours: text(ours),
    atHand: text(atHand),
    fromPool: text(fromPool),
    waiting: text(waiting),
    homeBps,
  }
}

function identityView({ books, mid }: TreasuryState): TreasuryView['identity'] {
  const identity = wholeIdentity(books, mid)
  if (identity === null) return null
  const texts = (values: IdentityTerms<bigint>, decimals: number) =>
    Object.fromEntries(TERMS.map((name) => [name, formatDecimalText(values[name], decimals)])) as Record<
      (typeof TERMS)[number],
      string
    >
  return {
    mid: formatRate(identity.mid),
    held: tokenTexts((asset) => identity.held[asset]),
    tzs: texts(identity.tzs, 36),
    usd: texts(identity.usd, 54),
  }
}
