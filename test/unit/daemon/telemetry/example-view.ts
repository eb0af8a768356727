import type { PositionView } from '../../../../src/daemon/view/position-view.ts'

/** A healthy position; a test changes what it is about. */
export function exampleView(changes: Partial<PositionView> = {}): PositionView {
  return {
    schema: 2,
    name: 'desk-1',
    mode: 'live',
    simulation: null,
    version: '0.1.0',
    startedAt: 1_000,
    now: 2_000,
    tradingState: 'ACTIVE',
    reasons: [],
    paused: false,
    live: {
      stopped: false,
      bidBps: 40,
      askBps: null,
      status: 'confirmed',
      isActive: true,
      openOrders: null,
      refusal: null,
      text: '40/off bps is still live',
      banner: null,
    },
    mid: '2600.5',
    midAgeMs: 90_500,
    pendingMid: null,
    quotable: true,
    fairValue: '2600.5',
    reference: {
      standsAlone: true,
      mid: null,
      errorBps: null,
      deviationBps: null,
      limitBps: 300,
      feeds: [],
    },
    isActive: true,
    missing: null,
    leaving: null,
    withdrawals: [],
    scorecard: null,
    challenger: null,
    risk: null,
    quote: {
      status: 'confirmed',
      bidBps: 40,
      askBps: 75,
      quoteBid: true,
      quoteAsk: false,
      confirmedAt: 1_500,
      target: { bidBps: 40, askBps: null },
      because: ['too few shillings'],
      cannotClose: null,
    },
    balances: { NTZS: '1000000.25', USDC: '500.5' },
    pool: { NTZS: '1000000.25', USDC: '500.5' },
    wallet: { NTZS: '0', USDC: '0' },
    inventory: { usdShare: 0.56, target: 0.5, imbalance: 0.12 },
    bounds: {
      minBps: 10,
      maxBps: 500,
      safeBps: 500,
      maxMidAgeMs: 172_800_000,
      inventory: { NTZS: { min: '100000', max: null } },
    },
    pnl: {
      tzs: {
        spreadCapture: '120.5',
        staleMid: '-20',
        inventory: '7',
        costs: '-1.5',
        unreconciled: '0',
        total: '106',
      },
      usd: { edge: '0.05', inventory: '-0.01', costs: '0', unreconciled: '0', total: '0.04' },
      residual: { tzs: '0', usd: '0' },
      slippageTzs: '12.5',
      perToken: { USDC: { spreadCapture: '120.5', staleMid: '-20', inventory: '7', edgeUsd: '0.05' } },
    },
    reconciliation: { ...unprovenBooks('reconciled', '', 1_200), provenAgeMs: 4_000 },
    budget: { limit: 60, effective: 60, remaining: 17, windowMs: 60_000 },
    execution: { isStated: true, apart: [] },
    capabilities: [{ name: 'activate-method', value: 'PATCH', at: 1, evidence: 'an answer' }],
    competition: { bid: { bps: 35, ageMs: 400, isOwn: false }, ask: null },
    fills: { total: 0, bid: 0, ask: 0, volumeUsd: '0', last: [] },
    review: null,
    guard: null,
    strategy: { use: 'fixed-spread', params: {}, suspended: null },
    overrides: {},
    decision: null,
    rfq: null,
    feeModel: 'from-position',
    requestsFailed: 0,
    lastSeq: 12,
    digest: '0'.repeat(64),
    ...changes,
  }
}

/** Books in this state, which no reading has proven. */
export function unprovenBooks(
  state: PositionView['reconciliation']['state'],
  why: string,
  since: number | null = null,
  unreconciled: Readonly<Record<string, string>> = {},
): PositionView['reconciliation'] {
  const nothing = { covers: [], notStated: [], unreadable: [], provenAgeMs: null }
  return { state, since, why, unreconciled, difference: unreconciled, ...nothing }
}

/** One live feed, and one that was not read yet. */
export const TWO_FEEDS: PositionView['reference'] = {
  standsAlone: false,
  mid: '2590',
  errorBps: 0,
  deviationBps: 40.5,
  limitBps: 300,
  feeds: [
    { name: 'bank', status: 'live', mid: '2590', ageMs: 1_500, datedAt: null, weight: 1, problem: null },
    { name: 'desk', status: 'waiting', mid: null, ageMs: null, datedAt: null, weight: 1, problem: null },
  ],
}
