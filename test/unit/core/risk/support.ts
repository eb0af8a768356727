import type { ApprovalSettings } from '../../../../src/core/risk/approval.ts'
import { assess } from '../../../../src/core/risk/assess.ts'
import type { RuleBreach } from '../../../../src/core/risk/rule-breach.ts'
import type { RiskInput } from '../../../../src/core/risk/risk-input.ts'
import {
  LATER_LIMITS_OFF,
  type InventoryLimits,
  type RiskSettings,
} from '../../../../src/core/risk/risk-settings.ts'
import { zeroAmounts } from '../../../../src/base/money/asset.ts'

/** All is well. */
export function riskInput(change: Partial<RiskInput> = {}, mid: Partial<RiskInput['mid']> = {}): RiskInput {
  return {
    now: 1_000_000,
    mid: {
      present: true,
      ageMs: 60_000,
      quotable: true,
      problem: null,
      pending: null,
      refusal: null,
      inForce: null,
      fair: null,
      apart: [],
      refusedPair: null,
      ...mid,
    },
    feeds: null,
    position: zeroAmounts(),
    pnlTzs: 0n,
    drawdownTzs: 0n,
    hasPosition: true,
    inventoryImbalance: 0,
    fillsLastMinute: 0,
    volumeLastDayUsd: { bid: 0n, ask: 0n },
    errorCycles: 0,
    breakSince: null,
    breakReason: '',
    unreconciledTooLong: false,
    foreign: null,
    unreadable: null,
    unreconciled: {},
    strategySuspended: null,
    paused: null,
    guardObstacle: null,
    shuttingDown: false,
    deactivating: false,
    authFailure: null,
    mismatches: 0,
    fillBreach: null,
    foreignWrite: null,
    walletChanged: null,
    unaskedPairs: null,
    reviewDue: null,
    solverChanged: null,
    ...change,
  }
}

/** Every limit off. */
export function riskSettings(change: Partial<RiskSettings> = {}): RiskSettings {
  return {
    ...LATER_LIMITS_OFF,
    maxMidAgeMs: null,
    maxMidStepBps: null,
    maxLossTzs: null,
    maxDrawdownTzs: null,
    maxFillsPerMinute: null,
    maxVolumePerDayUsd: null,
    errorCyclesThreshold: 5,
    unexplainedGraceMs: 60_000,
    ...change,
  }
}

export const approval = (change: Partial<ApprovalSettings> = {}): ApprovalSettings => ({
  safeBps: 500,
  whenBothOff: 'safe',
  onHalt: 'safe',
  mayDeactivate: true,
  orders: null,
  ...change,
})

/** What differs from a position where all is well and every limit is off. */
export type RiskCase = {
  readonly input?: Partial<RiskInput>
  readonly mid?: Partial<RiskInput['mid']>
  readonly settings?: Partial<RiskSettings>
  readonly limits?: InventoryLimits
}

export function breachesOf({ input, mid, settings, limits = {} }: RiskCase): readonly RuleBreach[] {
  return assess(riskInput(input, mid), riskSettings(settings), limits)
}

export function findingOf(
  effect: RuleBreach['effect'],
  rule: RuleBreach['rule'] = 'inventory-limit',
): RuleBreach {
  return { rule, effect, limit: '', actual: '', message: `${rule} says ${effect}` }
}
