import { z } from 'zod'
import { DECIMALS } from '../money/asset.ts'
import { field, money, perAsset } from './field.ts'

export const inventorySection = z.strictObject({
  target: field.share.default(0.5).describe('Share of the value to hold in USD stables.'),
  limits: perAsset((decimals) =>
    z.strictObject({
      min: money(decimals).nullable().default(null),
      max: money(decimals).nullable().default(null),
    }),
  )
    .default({})
    .describe('Tokens. Below min only the side that refills, above max only the one that drains.'),
})

/**
 * Four days: the mid is published on working days, and Friday morning's must last over a weekend and a
 * Monday off until Tuesday morning. Shorter would halt every long weekend, longer would trade on a dead feed.
 */
const MAX_MID_AGE_MS = 345_600_000

export const riskSection = z.strictObject({
  maxMidAgeMs: field.intervalMs.nullable().default(MAX_MID_AGE_MS),
  maxMidStepBps: field.bps.positive().nullable().default(150),
  maxLossTzs: money(36).nullable().default(null).describe('TZS lost since the start of the ledger.'),
  maxDrawdownTzs: money(36).nullable().default(null).describe('TZS below the highest PnL.'),
  maxFillsPerMinute: field.count.nullable().default(null),
  maxVolumePerDayUsd: money(18).nullable().default(null).describe('Per side and rolling 24 hours.'),
  errorCyclesThreshold: field.count.default(5),
  unexplainedGraceMs: field.durationMs.default(60_000).describe('How long balances may not add up.'),
  dust: z
    .strictObject({
      NTZS: money(DECIMALS.NTZS).prefault('1'),
      USDC: money(DECIMALS.USDC).prefault('0.001'),
      USDT: money(DECIMALS.USDT).prefault('0.001'),
      'USDT.bnb': money(DECIMALS['USDT.bnb']).prefault('0.001'),
    })
    .prefault({})
    .describe('Unexplained inflows up to this many tokens are booked, not alarmed about.'),
  onHalt: z.enum(['deactivate', 'safe']).default('deactivate'),
})

export const quoteSection = z.strictObject({
  requoteThresholdBps: field.bps.default(2),
  minRequoteIntervalMs: field.durationMs.default(2_000),
  safeBps: field.spreadBps.default(500).describe('Both sides at this spread is the safe quote.'),
  whenBothOff: z.enum(['deactivate', 'safe']).default('safe'),
  onExit: z.enum(['keep', 'widen', 'deactivate']).default('widen'),
  pairs: z.array(field.text.max(20)).min(1).max(50).nullable().default(null).describe('null = all pairs.'),
})

/** How often to ask when there is nothing urgent; the pacer asks sooner where it pays and never over the budget. */
export const pacingSection = z.strictObject({
  fillsIntervalMs: field.intervalMs.default(2_000),
  rateIntervalMs: field.intervalMs.default(6_000),
  balancesIntervalMs: field.intervalMs.default(15_000),
  accountIntervalMs: field.intervalMs.default(60_000),
  quoteCheckIntervalMs: field.intervalMs.default(300_000),
  reservePerMinute: z.int().min(0).max(1_000).default(10).describe('Requests kept free for safety writes.'),
})
