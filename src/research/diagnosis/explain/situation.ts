import { z } from 'zod'
import { seededRandom } from '../../../base/random.ts'
import type { Ms } from '../../../base/time.ts'
import { inventoryImbalance } from '../../../core/engine/decision/inventory-share.ts'
import { DEFAULT_TOLERANCE_BPS, NO_CAPITAL_COST } from '../../../core/engine/model/config.ts'
import type { Calibration } from '../../../core/models/calibration.ts'
import type { StrategyContext } from '../../../core/strategy/context.ts'
import { refuseAllOldNames } from '../../../core/strategy/refused-names.ts'

const bps = z.number().min(-1_000_000).max(1_000_000)
const positive = z.number().positive()
const side = z.enum(['bid', 'ask'])
const named = z.string().nullable()
const bothSides = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ bid: value.nullable(), ask: value.nullable() })

/**
 * Everything that a strategy sees at one moment, as plain data: printed by `mizani explain --json` under `inputs`, and
 * read by `--at FILE`. The calibration is the configuration's.
 */
export const situationSchema = z.strictObject({
  now: z.iso.datetime().describe('UTC.'),
  cause: z.enum(['start', 'rate', 'fill', 'competition', 'balances', 'timer', 'params']),
  mid: positive.describe('TZS per USD.'),
  midAgeMs: z.number().min(0).nullable(),
  fairValue: z.strictObject({ tzsPerUsd: positive, errorBps: z.number().min(0) }),
  fairShift: z.strictObject({
    bps,
    errorBps: z.number().min(0),
    driftBpsPerDay: bps,
    feeds: z.int().min(0),
    reasons: z.array(z.string()),
  }),
  feeds: z
    .array(
      z.strictObject({
        name: z.string(),
        tzsPerUsd: positive.nullable(),
        ageMs: z.number().min(0).nullable(),
        status: z.enum(['live', 'waiting', 'silent', 'frozen', 'implausible', 'outvoted', 'venue']),
      }),
    )
    .default([]),
  inventory: z.strictObject({
    ntzs: z.number().min(0),
    usd: z.number().min(0),
    target: z.number().min(0).max(1),
    capitalCost: z.strictObject({ ntzsPerYear: z.number(), usdPerYear: z.number() }).default(NO_CAPITAL_COST),
  }),
  recentFills: z.array(
    z.strictObject({
      at: z.number(),
      side,
      stable: z.enum(['USDC', 'USDT', 'USDT.bnb']),
      usd: z.number().min(0),
      taker: z.strictObject({ wallet: named, source: named, partner: named }).exactOptional(),
    }),
  ),
  markouts: bothSides(
    z.strictObject({ fills: z.int().min(0), meanBps: bps, impactBps: bps, errorBps: z.number().min(0) }),
  ),
  competition: bothSides(z.strictObject({ bestBps: bps, ageMs: z.number().min(0) })),
  standing: z.strictObject({ bidBps: bps.nullable(), askBps: bps.nullable() }),
  protocolFeeBps: z.number().min(0),
  toleranceBps: z.number().min(0).default(DEFAULT_TOLERANCE_BPS),
  available: z
    .strictObject({
      ntzs: z.number().min(0),
      stables: z.partialRecord(z.enum(['USDC', 'USDT', 'USDT.bnb']), z.number().min(0)),
    })
    .nullable(),
  data: z
    .record(z.string(), z.number().optional())
    .nullable()
    .default(null)
    .describe("The strategy's own columns."),
  seq: z.int().min(0).describe('The number of the event: a strategy draws its random numbers from it.'),
  memory: z.unknown().describe("The strategy's own state; null = a fresh one."),
})
export type Situation = z.infer<typeof situationSchema>

/** Returns a copy of a context's current values, which stays valid after the call. */
export function situationOf(context: StrategyContext, seq: number, memory: unknown): Situation {
  const { inventory, competition, fairValue, fairShift, markouts, standing, available } = context
  return {
    now: new Date(context.now).toISOString(),
    cause: context.cause,
    mid: context.mid,
    midAgeMs: context.midAgeMs,
    fairValue: { ...fairValue },
    fairShift: { ...fairShift, reasons: [...fairShift.reasons] },
    feeds: context.feeds.map((feed) => ({ ...feed })),
    inventory: {
      ntzs: inventory.ntzs,
      usd: inventory.usd,
      target: inventory.target,
      capitalCost: { ...inventory.capitalCost },
    },
    recentFills: context.recentFills.map((fill) => structuredClone(fill)),
    markouts: { bid: copied(markouts.bid), ask: copied(markouts.ask) },
    competition: { bid: copied(competition.bid), ask: copied(competition.ask) },
    standing: { ...standing },
    protocolFeeBps: context.protocolFeeBps,
    toleranceBps: context.toleranceBps,
    available: available === null ? null : { ntzs: available.ntzs, stables: { ...available.stables } },
    data: copied(context.data),
    seq,
    memory: structuredClone(memory),
  }
}

function copied<Value extends object>(value: Value | null): Value | null {
  return value === null ? null : { ...value }
}

/** Returns the context that shows this situation to a strategy. */
export function contextOf(
  situation: Situation,
  calibration: Calibration | null,
  inWindow: (cron: string, zone: string, t: Ms) => boolean,
): StrategyContext {
  const { seq, memory: _memory, inventory: _held, ...shown } = situation
  const now = Date.parse(situation.now)
  return refuseAllOldNames({
    ...shown,
    now,
    fairShift: { ...shown.fairShift },
    inventory: shareOf(situation),
    calibration,
    inWindow: (cron, zone) => inWindow(cron, zone, now),
    random: (label) => seededRandom(seq, label),
  })
}

/** Returns the share in dollars and the imbalance of the inventory. */
export function shareOf({ inventory, mid }: Situation): StrategyContext['inventory'] {
  const { usd, ntzs, target } = inventory
  const { usdShare, imbalance, totalTzs } = inventoryImbalance(usd, ntzs, mid, target)
  return { ...inventory, usdShare, imbalance, totalTzs }
}

/** Returns the situation with another inventory of equal value: -1 = all shillings, 0 = on target, 1 = all dollars. */
export function withImbalance(situation: Situation, imbalance: number): Situation {
  const { inventory, mid } = situation
  const { target } = inventory
  const value = inventory.ntzs + inventory.usd * mid
  const share = target + imbalance * (imbalance >= 0 ? 1 - target : target)
  return { ...situation, inventory: { ...inventory, usd: (share * value) / mid, ntzs: (1 - share) * value } }
}
