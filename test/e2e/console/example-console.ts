import type {
  DaysAnswer,
  FillAnswerRow,
  HistoryAnswer,
  NoticeRow,
} from '../../../src/daemon/console/answers.ts'
import { exampleSummary } from '../../unit/daemon/telemetry/example-summary.ts'
import { exampleView, unprovenBooks } from '../../unit/daemon/telemetry/example-view.ts'
import { absentSummary, type PositionSummary } from '../../../src/daemon/view/position-summary.ts'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import type { OrderView, RfqView } from '../../../src/daemon/view/rfq-view.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 3, 22)
const STEP = 6_000
const POINTS = 600

/** A position in the middle of a day's trading. */
export function consoleView(changes: Partial<PositionView> = {}): PositionView {
  return exampleView({
    name: 'desk-1',
    now: NOW,
    startedAt: NOW - 5 * 3_600_000,
    mid: '2601.5',
    fairValue: '2603.2',
    midAgeMs: 4_200_000,
    quote: {
      status: 'confirmed',
      bidBps: 44,
      askBps: 76,
      quoteBid: true,
      quoteAsk: true,
      confirmedAt: NOW - 40_000,
      target: { bidBps: 44, askBps: 76 },
      because: ['dollars 56.1 % of 50 %: bid 60 - 16.0, ask 60 + 16.0'],
      cannotClose: null,
    },
    competition: {
      bid: { bps: 55, ageMs: 12_000, isOwn: false },
      ask: { bps: 62, ageMs: 9_000, isOwn: false },
    },
    balances: { NTZS: '18244210.55', USDC: '6744.201133', USDT: '2213.5' },
    pool: { NTZS: '18244210.55', USDC: '6744.201133', USDT: '2213.5' },
    wallet: { NTZS: '0', USDC: '0', USDT: '0' },
    inventory: { usdShare: 0.561, target: 0.5, imbalance: 0.122 },
    strategy: {
      use: 'inventory-skew',
      params: { halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 },
      suspended: null,
    },
    pnl: {
      tzs: {
        spreadCapture: '184220.5512',
        staleMid: '-42108.25',
        inventory: '-12004.5',
        costs: '-1803.125',
        unreconciled: '0',
        total: '128304.6762',
      },
      usd: { edge: '54.66', inventory: '-4.71', costs: '-0.69', unreconciled: '0', total: '49.26' },
      residual: { tzs: '0', usd: '0' },
      slippageTzs: '1200.5',
      perToken: {},
    },
    fills: { total: 214, bid: 98, ask: 116, volumeUsd: '41877.25', last: [] },
    ...changes,
  })
}

/** Halted with books that do not agree. */
export function haltedView(changes: Partial<PositionView> = {}): PositionView {
  return consoleView({
    tradingState: 'HALTED',
    reasons: [
      'halted: unreconciled balance of USDC: the venue has 12.5 less than the ledger, for 61 s',
      'inventory-limit: NTZS is at or under its minimum; lifts when it is back inside',
    ],
    isActive: false,
    quote: {
      status: 'mismatch',
      bidBps: 500,
      askBps: 500,
      quoteBid: true,
      quoteAsk: false,
      confirmedAt: null,
      target: { bidBps: 60, askBps: 70 },
      because: ['halted: the safe quote'],
      cannotClose: null,
    },
    reconciliation: unprovenBooks('break', 'the venue shows less than the ledger', NOW - 61_000, {
      USDC: '-12.5',
    }),
    ...changes,
  })
}

/** Just started: nothing is known yet. */
export function emptyView(): PositionView {
  return consoleView({
    tradingState: 'REDUCING',
    reasons: ['mid-unknown: no mid has come yet'],
    mid: null,
    fairValue: null,
    midAgeMs: null,
    quotable: null,
    isActive: null,
    quote: {
      status: 'unknown',
      bidBps: null,
      askBps: null,
      quoteBid: null,
      quoteAsk: null,
      confirmedAt: null,
      target: null,
      because: ['nothing was decided yet'],
      cannotClose: null,
    },
    balances: {},
    pool: {},
    wallet: {},
    inventory: { usdShare: null, target: 0.5, imbalance: null },
    pnl: null,
    reconciliation: unprovenBooks('pending', ''),
    competition: { bid: null, ask: null },
    fills: { total: 0, bid: 0, ask: 0, volumeUsd: '0', last: [] },
  })
}

/** One that waits for its approval, one that waits for its time, and one that has left. */
export function exampleWithdrawals(): PositionView['withdrawals'] {
  const one = {
    key: 'key-1',
    asset: 'USDC',
    amount: '1200.5',
    toAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    who: 'anna',
    stage: 'waiting',
    requestedAt: NOW - 300_000,
    approvedBy: null,
    sendAt: null,
    heldAt: null,
  } as const
  return [
    one,
    { ...one, key: 'key-2', stage: 'approved', approvedBy: 'juma', sendAt: NOW + 400_000 },
    { ...one, key: 'key-3', stage: 'unknown', approvedBy: 'juma', sendAt: NOW - 100_000 },
  ]
}

/** Self-custody: six orders that are owed, and a token of which too much is promised. */
export function exampleOrders(): RfqView {
  const orderOf = (i: number): OrderView => ({
    salt: `17639${i}0000${i}`,
    hash: `0x${String(i).repeat(64)}`,
    side: i % 2 === 0 ? 'ask' : 'bid',
    stable: i % 2 === 0 ? 'USDT' : 'USDC',
    usd: '1500',
    remainingUsd: i === 2 ? '500' : '1500',
    priceTzs: String(i % 2 === 0 ? 2584.25 - ((i * 7) % 4) * 3 : 2618.4 + ((i * 7) % 4) * 3.5),
    expiresAt: NOW + 90_000 + i * 7_000,
    phase: i === 3 ? 'cancelling' : 'open',
    status: i === 4 ? null : 'FILLABLE',
  })
  return {
    custody: 'self',
    solver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    blocked: null,
    chain: { block: '38112044', ageMs: 1_200, gasGwei: '0.0123' },
    clockOffsetMs: { venue: 12, chain: -840 },
    requestShare: { limit: 15, used: 6 },
    promised: { NTZS: '3900000', USDC: '4500', USDT: '1500' },
    free: { NTZS: '100000', USDC: '-20.5', USDT: '40' },
    balances: { NTZS: '4000000', USDC: '4479.5', USDT: '1540' },
    allowances: {},
    orders: Array.from({ length: 6 }, (_, i) => orderOf(i)),
    counts: { signed: 420, filled: 88, rejected: 1, cancelled: 300, expired: 31 },
  }
}

/** An hour of it, as the store tells it. */
function exampleHistory(): HistoryAnswer {
  const t = Array.from({ length: POINTS }, (_, i) => NOW - (POINTS - 1 - i) * STEP)
  const wave = (i: number, period: number) => Math.sin((i / period) * 2 * Math.PI)
  const mid = t.map((_, i) => 2_598 + Math.floor(i / 200) * 1.75)
  return {
    from: t[0] ?? NOW,
    to: NOW,
    stepMs: STEP,
    t,
    mid,
    fairValue: mid.map((value, i) => value + wave(i, 170) * 2),
    bidBps: t.map((_, i) => Math.round(55 + wave(i, 240) * 14)),
    askBps: t.map((_, i) => Math.round(65 - wave(i, 240) * 14)),
    bestBidBps: t.map(() => 55),
    bestAskBps: t.map(() => 62),
    ntzs: t.map((_, i) => 18e6 + wave(i, 300) * 2e6),
    usd: t.map((_, i) => 8_900 - wave(i, 300) * 700),
    usdShare: t.map((_, i) => 0.53 - wave(i, 300) * 0.08),
    pnl: {
      spreadCapture: t.map((_, i) => 90_000 + i * 157),
      staleMid: t.map((_, i) => -20_000 - i * 36),
      inventory: t.map((_, i) => wave(i, 400) * 15_000),
      costs: t.map((_, i) => -900 - i * 1.5),
      unreconciled: t.map(() => 0),
      totalUsd: t.map((_, i) => 20 + i * 0.05),
    },
    fills: {
      bid: t.map((_, i) => (i % 37 === 5 ? 1 : 0)),
      ask: t.map((_, i) => (i % 29 === 11 ? 2 : 0)),
    },
    marks: [
      { t: NOW - 2_400_000, kind: 'reload', text: 'halfSpreadBps 55 became 60' },
      { t: NOW - 1_500_000, kind: 'halt', text: 'halted by amina: a look at the books' },
      { t: NOW - 1_200_000, kind: 'resume', text: 'resumed by amina' },
    ],
  }
}

function exampleFills(count: number): readonly FillAnswerRow[] {
  return Array.from({ length: count }, (_, i) => {
    const isBid = i % 3 === 0
    return {
      id: `0x${(0x51a7_0000 + i * 977).toString(16)}-${i}`,
      at: NOW - 20_000 - i * 73_000,
      side: isBid ? 'bid' : 'ask',
      amountIn: isBid ? '523114.75' : '200.5',
      inAsset: isBid ? 'NTZS' : 'USDC',
      amountOut: isBid ? '199.871133' : '518402.25',
      outAsset: isBid ? 'USDC' : 'NTZS',
      usd: 200.2,
      edgeBps: isBid ? 43.8 : 75.4,
      markoutBps: { m5: i < 4 ? null : (i % 7) * 4 - 11, h1: i < 40 ? null : 3, d1: null },
      formula: 'divide',
      txHash: null,
    }
  })
}

function exampleNotices(count: number): readonly NoticeRow[] {
  return Array.from({ length: count }, (_, i): NoticeRow => {
    const kind = ['requote', 'refusal', 'alert', 'operator', 'requote'][i % 5] ?? 'requote'
    return {
      id: `${9_000 - i * 3}.0`,
      t: NOW - i * 41_000,
      kind,
      severity: kind === 'alert' ? (i % 10 === 2 ? 'critical' : 'warning') : 'info',
      text: {
        requote: 'bid 44, ask 76: dollars 56.1 % of 50 %',
        refusal: 'the spread moved less than the threshold of 2 bps',
        alert: 'the mid has not changed for 26 h',
        operator: 'amina: reload, to take the new half-spread: accepted',
      }[kind] as string,
    }
  })
}

/** Three weeks of days, of which the first has no sample. */
function exampleDays(): DaysAnswer {
  const days = Array.from({ length: 21 }, (_, i) => ({
    day: new Date(NOW - (20 - i) * 86_400_000).toISOString().slice(0, 10),
    pnlTzs: i === 0 ? null : ((i * 37) % 100) * 2_650 - 60_000,
    pnlUsd: i === 0 ? null : ((i * 37) % 100) - 22.5,
    fills: i === 0 ? 0 : 180 + ((i * 53) % 90),
    volumeUsd: i === 0 ? 0 : 41_000 + i * 377,
  }))
  const pair = {
    side: 'bid',
    inAsset: 'NTZS',
    outAsset: 'USDC',
    fills: 98,
    volumeUsd: 20_938.5,
    fee: 12.5,
  } as const
  return {
    days,
    pairs: [pair, { ...pair, side: 'ask', inAsset: 'USDC', outAsset: 'NTZS', fills: 116, fee: 32_400 }],
  }
}

/** What the reads answer. */
export function exampleAnswers(rows = 30): Readonly<Record<string, unknown>> {
  return {
    history: exampleHistory(),
    days: exampleDays(),
    research: { position: 'desk-1', tapes: ['examples/week'], since: NOW - 3_600_000, runs: [] },
    fills: { fills: exampleFills(rows), next: null },
    notices: { notices: exampleNotices(rows), next: null },
    'treasury/bands': { position: 'desk-1', bands: [] },
    proposals: { position: 'desk-1', proposals: [] },
    parameters: {
      use: 'inventory-skew',
      params: { halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 },
      schema: null,
      changed: [],
      changeable: ['strategy.params'],
    },
  }
}

/** The line of the list for a position that shows this; null = it does not answer. */
export function summaryOf(name: string, view: PositionView | null): PositionSummary {
  if (view === null) return absentSummary(name, 'its worker is starting again', exampleSummary({ name }))
  const { mode, tradingState, paused, reasons, strategy, mid, midAgeMs, quote, pnl, lastSeq } = view
  return exampleSummary({
    name,
    mode,
    tradingState,
    paused,
    strategy: strategy.use,
    why: reasons.slice(0, 3),
    severity: tradingState === 'HALTED' ? 'critical' : null,
    pnlTotalUsd: pnl?.usd.total ?? null,
    bidBps: quote.bidBps,
    askBps: quote.askBps,
    mid,
    midAgeMs,
    seq: lastSeq,
  })
}

/** Five hundred positions as a desk may have them: most trade, some are in each kind of trouble. */
export function fleetOf(count = 500): readonly PositionSummary[] {
  return Array.from({ length: count }, (_, n) => {
    const name = `desk-${String(n + 1).padStart(3, '0')}`
    const strategy = n % 3 === 0 ? 'inventory-skew' : 'fixed-spread'
    const money = {
      pnlTodayUsd: ((n % 37) - 9.25).toFixed(6),
      pnlTotalUsd: (n * 3.7 - 120).toFixed(6),
      deployedUsd: String(900 + n),
    }
    const summary = exampleSummary({
      name,
      strategy,
      ...money,
      fillsToday: n % 23,
      midAgeMs: 60_000 + n * 900,
    })
    if (n % 125 === 7)
      return {
        ...summary,
        tradingState: 'HALTED',
        severity: 'critical',
        why: ['halted: loss: over 40000 TZS'],
      }
    if (n % 111 === 5) return absentSummary(name, 'restarting', summary)
    if (n % 61 === 11)
      return { ...summary, ready: false, severity: 'warning', why: ['the mid is too old'], bidBps: null }
    if (n % 41 === 13)
      return {
        ...summary,
        tradingState: 'REDUCING',
        why: ['inventory-limit: NTZS is at its minimum'],
        severity: 'warning',
      }
    return n % 97 === 3 ? { ...summary, paused: true, severity: 'info' } : summary
  })
}
