import type { PositionSummary } from '../../../../src/daemon/view/position-summary.ts'

/** The line of a healthy position; a test changes what it is about. */
export function exampleSummary(changes: Partial<PositionSummary> = {}): PositionSummary {
  return {
    name: 'desk-1',
    mode: 'live',
    simulation: null,
    tradingState: 'ACTIVE',
    paused: false,
    answered: true,
    strategy: 'inventory-skew',
    ready: true,
    why: [],
    severity: null,
    pnlTodayUsd: '1.5',
    pnlTotalUsd: '12.25',
    deployedUsd: '1000',
    outstandingUsd: '0',
    heldUsd: '1500.5',
    lossUsd: '0',
    lastFillAt: 1_000,
    fillsToday: 4,
    bidBps: 40,
    askBps: 60,
    mid: '2600.5',
    midAgeMs: 90_000,
    seq: 7,
    ...changes,
  }
}
