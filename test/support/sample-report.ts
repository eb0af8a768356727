import { seededRandom } from '../../src/base/random.ts'
import type { ReportData } from '../../src/research/report/report-data.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 10, 2, 7)

type Shape = {
  readonly seed?: number
  readonly days?: number
  /** Points of each line. */
  readonly points?: number
  readonly fills?: number
}

/** A made-up result that looks like one of a month: random, equal for equal shapes, and of any size. */
export function sampleReport({ seed = 1, days = 30, points = 3_000, fills = 900 }: Shape = {}): ReportData {
  const next = seededRandom(seed, 'sample report')
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const t = Float64Array.from({ length: points }, (_, i) => Math.round(START + (i / points) * days * DAY_MS))
  const walk = (from: number, step: number, drift = 0) => {
    let at = from
    return Float64Array.from(t, () => (at += step * normal() + drift))
  }
  const stepUsd = 40 / Math.sqrt(points / 100)
  const usd = walk(100_000, stepUsd, 900 / points)
  const quotes = quoteLines(t, normal, next)
  return {
    title: 'inventory-skew over 2026-11-02 to 2026-12-02, thinned fills',
    headline: [
      { label: 'Edge per dollar traded', value: '14.2 bps', note: '90 % CI 9.8 to 18.7 bps' },
      { label: 'Fills', value: fills.toLocaleString('en-US'), note: 'of 1,204 recorded' },
      { label: 'Prints', value: '21', note: 'new mids in the window' },
      { label: 'Variants tried', value: '12' },
      { label: 'Synthetic share', value: '18.4 %', note: 'of the dollars traded' },
    ],
    warnings: [
      '21 prints are few: the interval of the edge is wide, and no yearly figure is given.',
      '18.4 % of the dollars are synthetic fills: they rest on the estimated intensity, not on the tape.',
    ],
    tables: sampleTables(),
    equity: {
      t,
      usd,
      low: usd.map((value, i) => value - 260 * Math.sqrt(i / points)),
      high: usd.map((value, i) => value + 260 * Math.sqrt(i / points)),
      holding: walk(100_000, stepUsd / 2),
      half: walk(100_000, stepUsd / 3),
    },
    days: sampleDays(days, normal),
    attributionUsd: sampleUsdTerms(t, walk, points),
    spreads: sampleSpreads(fills, next),
    splits: [
      { name: 'bid', bps: 84.6, fills: 400 },
      { name: 'ask', bps: 30.8, fills: 500 },
      { name: 'USDC', bps: 57.2, fills: 700 },
      { name: 'USDT', bps: 59.1, fills: 200 },
      { name: '0 to 100 USD', bps: 61, fills: 800 },
      { name: '100 USD and more', bps: -4, fills: 100 },
    ],
    hours: Float64Array.from({ length: 24 }, (_, hour) => 40 - Math.abs(hour - 12) * 4),
    law: SAMPLE_LAW,
    configuration: [
      { key: 'quote.requoteThresholdBps', value: '3' },
      { key: 'strategy.sourceHash', value: '9f2c1b7e55d0a4f3' },
    ],
    drawdown: { t, usd: belowPeak(usd) },
    attribution: { t, terms: sampleTerms(walk, points) },
    quotes: { t, ...quotes },
    fills: sampleFills({ fills, days, next, t, quotes }),
    inventory: { t, usdShare: walk(0, 1).map((x) => 0.5 + 0.3 * Math.sin(x / 40)), target: 0.5 },
    markouts: ['fill', 'next print', '+1', '+2', '+5', '1 h', '4 h'].map((horizon, i) => ({
      horizon,
      bps: 58 - 7 * i,
      ci90: [58 - 7 * i - (4 + 3 * i), 58 - 7 * i + (4 + 3 * i)] as const,
      fills: Math.round(fills * (1 - i / 10)),
    })),
    competition: sampleCompetition(t, next),
    uptime: sampleUptime(days, next),
    plots: [{ name: 'ema', t, values: walk(2_500, 1) }],
  }
}

/** Nothing happened: no series has a point, and nothing is known. */
export function emptyReport(): ReportData {
  const none = new Float64Array(0)
  return {
    title: 'nothing',
    headline: [],
    warnings: [],
    tables: [{ title: 'Parameters', head: [], rows: [] }],
    equity: { t: none, usd: none, low: none, high: none, holding: none, half: none },
    days: { t: none, pnlUsd: none, lessHoldingUsd: none, fills: none },
    attributionUsd: { t: none, edge: none, inventory: none, costs: none, unreconciled: none },
    spreads: { bps: none, days: none, fills: none },
    splits: [],
    hours: none,
    law: null,
    configuration: [],
    drawdown: { t: none, usd: none },
    attribution: { t: none, terms: [] },
    quotes: { t: none, mid: none, fair: none, bid: none, ask: none },
    fills: {
      t: none,
      price: none,
      usd: none,
      edgeBps: none,
      bid: new Uint8Array(0),
      synthetic: new Uint8Array(0),
      leftOut: 0,
    },
    inventory: { t: none, usdShare: none, target: NaN },
    markouts: [],
    competition: { t: none, ownBid: none, ownAsk: none, otherBid: none, otherAsk: none },
    uptime: { t: none, bid: none, ask: none },
    plots: [],
  }
}

type Lines = Pick<ReportData['quotes'], 'mid' | 'fair' | 'bid' | 'ask'>

function quoteLines(t: Float64Array, normal: () => number, next: () => number): Lines {
  let mid = 2_568
  let fair = mid
  let skew = 0
  const every = Math.max(1, Math.floor(t.length / 140))
  const lines = { mid: t.slice(), fair: t.slice(), bid: t.slice(), ask: t.slice() }
  for (let i = 0; i < t.length; i++) {
    if (i % every === 0) mid = fair + normal()
    fair += (normal() * 12) / Math.sqrt(t.length)
    if (next() < 400 / t.length) skew = Math.round(normal() * 12)
    const off = i > t.length * 0.6 && i < t.length * 0.62
    lines.mid[i] = mid
    lines.fair[i] = fair
    lines.bid[i] = off ? NaN : mid * (1 + (60 + skew) / 10_000)
    lines.ask[i] = off ? NaN : mid * (1 - (60 - skew) / 10_000)
  }
  return lines
}

function belowPeak(usd: Float64Array): Float64Array {
  let peak = -Infinity
  return usd.map((value) => (peak = Math.max(peak, value)) - value)
}

function sampleTerms(
  walk: (from: number, step: number, drift?: number) => Float64Array,
  points: number,
): ReportData['attribution']['terms'] {
  const scale = 1 / Math.sqrt(points / 100)
  const terms = [
    { name: 'spread capture', tzs: walk(0, 20_000 * scale, 4_000_000 / points) },
    { name: 'stale mid', tzs: walk(0, 60_000 * scale, -900_000 / points) },
    { name: 'inventory', tzs: walk(0, 200_000 * scale) },
    { name: 'costs', tzs: walk(0, 0, -120_000 / points) },
    { name: 'unreconciled', tzs: walk(0, 0) },
  ]
  const total = walk(0, 0).map((_, i) => terms.reduce((sum, { tzs }) => sum + (tzs[i] ?? 0), 0))
  return [...terms, { name: 'total', tzs: total }]
}

function sampleFills({
  fills,
  days,
  next,
  t,
  quotes,
}: {
  readonly fills: number
  readonly days: number
  readonly next: () => number
  readonly t: Float64Array
  readonly quotes: Lines
}): ReportData['fills'] {
  const times = Float64Array.from({ length: fills }, () => Math.round(START + next() * days * DAY_MS)).sort()
  const bid = Uint8Array.from(times, () => (next() < 0.5 ? 1 : 0))
  const price = times.map((time, i) => {
    const row = Math.min(t.length - 1, Math.floor(((time - START) / (days * DAY_MS)) * t.length))
    const quoted = (bid[i] === 1 ? quotes.bid : quotes.ask)[row] ?? NaN
    return Number.isNaN(quoted) ? (quotes.mid[row] ?? 0) : quoted
  })
  return {
    t: times,
    price,
    usd: times.map(() => Math.round(-Math.log(1 - next()) * 40_000) / 100 + 5),
    edgeBps: times.map(() => 40 + 60 * (next() - 0.5)),
    bid,
    synthetic: Uint8Array.from(times, () => (next() < 0.18 ? 1 : 0)),
    leftOut: 0,
  }
}

function sampleCompetition(t: Float64Array, next: () => number): ReportData['competition'] {
  const steps = (about: number, spread: number) => {
    let at = about
    return Float64Array.from(t, () => {
      if (next() < 60 / t.length) at = about + Math.round((next() - 0.5) * spread)
      return at
    })
  }
  const holes = (values: Float64Array) =>
    values.map((value, i) => (i % 1000 < 40 && values.length > 1000 ? NaN : value))
  return {
    t,
    ownBid: steps(60, 30),
    ownAsk: steps(60, 30),
    otherBid: holes(steps(64, 24)),
    otherAsk: holes(steps(62, 24)),
  }
}

function sampleUptime(days: number, next: () => number): ReportData['uptime'] {
  const t = Float64Array.from({ length: days }, (_, i) => Date.UTC(2026, 10, 2 + i))
  return {
    t,
    bid: t.map(() => 1 - 0.1 * next() ** 4),
    ask: t.map((_, i) => (i % 11 === 5 ? 0.55 : 1 - 0.06 * next())),
  }
}

function sampleDays(days: number, normal: () => number): ReportData['days'] {
  const t = Float64Array.from({ length: days }, (_, i) => Date.UTC(2026, 10, 2 + i))
  const pnlUsd = t.map(() => 30 + 60 * normal())
  return { t, pnlUsd, lessHoldingUsd: pnlUsd.map((value) => value + 20 * normal()), fills: t.map(() => 30) }
}

function sampleUsdTerms(
  t: Float64Array,
  walk: (from: number, step: number, drift?: number) => Float64Array,
  points: number,
): ReportData['attributionUsd'] {
  return {
    t,
    edge: walk(0, 8 / Math.sqrt(points / 100), 1_200 / points),
    inventory: walk(0, 80 / Math.sqrt(points / 100)),
    costs: walk(0, 0, -47 / points),
    unreconciled: walk(0, 0),
  }
}

/** 40 fills a day at no spread, 1/k = 60 bps. */
const SAMPLE_LAW: ReportData['law'] = {
  a: { value: 40, low: 30, high: 52 },
  k: { value: 1 / 60, low: 1 / 80, high: 1 / 48 },
  fills: 900,
  exposureDays: 60,
  method: 'likelihood',
  overdispersion: 1,
}

function sampleSpreads(fills: number, next: () => number): ReportData['spreads'] {
  const bps = Float64Array.from({ length: 60 }, (_, i) => 30 + i)
  const days = bps.map(() => 0.2 + next())
  return { bps, days, fills: days.map((each) => Math.round((fills / 60) * each * next())) }
}

function sampleTables(): ReportData['tables'] {
  return [
    {
      title: 'Parameters',
      head: ['Parameter', 'Value'],
      rows: [
        ['strategy', 'inventory-skew'],
        ['halfSpreadBps', '60'],
        ['maxSkewBps', '80'],
        ['offBeyond', '0.9'],
        ['requoteThresholdBps', '3'],
        ['fills', 'thinned, k from its posterior'],
        ['seed', '7'],
      ],
    },
    {
      title: 'Data window',
      head: ['What', 'Value'],
      rows: [
        ['from', '2026-11-02 07:00 UTC'],
        ['to', '2026-12-02 07:00 UTC'],
        ['rows', '86,412'],
        ['gaps over an hour', '2'],
        ['digest', '9f2c1b7e55d0a4f3c8e1b2a4976d3f10c2b7a9e4d5f60718293a4b5c6d7e8f90'],
      ],
    },
    {
      title: 'Profit and loss',
      head: ['Term', 'TZS', 'USD'],
      rows: [
        ['spread capture', '4,012,345.67', '1,562.31'],
        ['stale mid', '-912,004.10', '-355.12'],
        ['inventory', '210,993.00', '82.15'],
        ['costs', '-120,000.00', '-46.73'],
        ['unreconciled', '0.00', '0.00'],
        ['total', '3,191,334.57', '1,242.61'],
      ],
    },
    {
      title: 'Metrics',
      head: ['Metric', 'Value', 'Interval'],
      rows: [
        ['Sharpe per day', '0.31', '± 0.18'],
        ['deflated Sharpe', '0.62', ''],
        ['max drawdown', '412.10 USD', '280 to 690'],
        ['inventory half-life', '1.8 days', ''],
        ['time at limit', '0.4 %', ''],
        ['quote updates', '1,204', ''],
      ],
    },
  ]
}
