import { HOUR_MS, MINUTE_MS } from '../../../../src/base/time.ts'
import { RATE_ONE } from '../../../../src/base/money/rate.ts'
import type { Band, TreasuryConfig } from '../../../../src/treasury/model/config.ts'
import { addFlow, NO_FLOW, type FlowHistory } from '../../../../src/treasury/model/flow-history.ts'
import type { PlanInput } from '../../../../src/treasury/model/plan-types.ts'

export const TZS = 10n ** 18n
export const USD = 10n ** 6n
export const MID = 2_568n * RATE_ONE

/** A moment in East Africa Time. */
export const eat = (text: string): number => Date.parse(`${text}+03:00`)
/** A Tuesday morning, before the cut-off. */
export const TUESDAY = eat('2026-11-10T09:30:00')

export const shillingBand = (target: bigint, refillBelow: bigint, skimAbove: bigint): Band => ({
  target: target * TZS,
  refillBelow: refillBelow * TZS,
  skimAbove: skimAbove * TZS,
})

export const CONFIG: TreasuryConfig = {
  mode: 'live',
  userId: '00000000-0000-4000-8000-000000000001',
  policy: {
    bands: {
      NTZS: shillingBand(50_000_000n, 10_000_000n, 80_000_000n),
      USDC: { target: 20_000n * USD, refillBelow: 4_000n * USD, skimAbove: 40_000n * USD },
    },
    routes: ['bank-deposit', 'rebalance', 'swap', 'onramp', 'offramp', 'payout'],
    caps: [],
    leadTimeMs: 4 * HOUR_MS,
    serviceLevel: 0.95,
    smallest: { NTZS: 50_000n * TZS, USDC: 20n * USD, USDT: 20n * USD },
    profitsTo: 'house',
    skimCron: '0 18 * * 5',
  },
  payees: [
    {
      name: 'house',
      to: { kind: 'bank', bankCode: 'CRDB', accountNumber: '0150000000001' },
      isAdmitted: true,
    },
    { name: 'till', to: { kind: 'phone', phoneNumber: '0754000222' }, isAdmitted: true },
    {
      name: 'vault',
      to: { kind: 'address', address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' },
      isAdmitted: true,
    },
  ],
  approval: {
    people: 2,
    coolOffMs: HOUR_MS,
    withinMs: 4 * HOUR_MS,
    freeRefill: { NTZS: 0n, USDC: 0n, USDT: 0n },
  },
  replayWindowMs: HOUR_MS,
  pollEveryMs: 10_000,
  supply: { everyMs: 15 * MINUTE_MS, reconcileEveryMs: 24 * HOUR_MS, exit: 'alert' },
  calendar: {
    holidays: ['2026-12-25', '2026-12-26'],
    confirmedUntil: '2027-12-31',
    eft: { opensMinute: 510, cutOffMinute: 780, mostALot: 20_000_000n * TZS },
    peaks: [],
  },
}

type Place = Partial<Record<'NTZS' | 'USDC' | 'USDT', bigint>>

export const holding = (pool: Place, treasury: Place = {}, float: Place = {}): PlanInput['holdings'] => {
  const none = { NTZS: 0n, USDC: 0n, USDT: 0n }
  return {
    pool: { ...none, ...pool },
    lpWallet: none,
    treasury: { ...none, ...treasury },
    platform: none,
    float: { ...none, ...float },
  }
}

/** A history of `weeks` before `now` in which every hour took `perHour` base units of NTZS. */
export const steadyOutflow = (now: number, weeks: number, perHour: bigint): FlowHistory => {
  let history = NO_FLOW
  const end = now - (now % HOUR_MS)
  for (let at = end - weeks * 168 * HOUR_MS; at < end; at += HOUR_MS)
    history = addFlow(history, at, { NTZS: -perHour, USDC: 0n, USDT: 0n })
  return history
}

/** A position at its targets, in the market; every rail was read, nothing is capped and nothing is due. */
export const input = (change: Partial<PlanInput> = {}): PlanInput => ({
  now: TUESDAY,
  config: CONFIG,
  holdings: holding({ NTZS: 50_000_000n * TZS, USDC: 20_000n * USD }),
  mid: MID,
  quote: { bidBps: 60, askBps: 60, isActive: true, isHalted: false },
  inTransit: { NTZS: 0n, USDC: 0n, USDT: 0n },
  active: [],
  rails: [],
  unreadable: [],
  flow: NO_FLOW,
  capsLeft: () => null,
  openAmounts: [],
  firstPayout: () => null,
  isSkimDue: false,
  ...change,
})
