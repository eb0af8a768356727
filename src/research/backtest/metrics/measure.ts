import { invariant } from '../../../base/result.ts'
import { seededRandom } from '../../../base/random.ts'
import { DAY_MS } from '../../../base/time.ts'
import type { Pnl } from '../../../core/ledger/book/pnl.ts'
import { inverseRate, type Usd54 } from '../../../core/ledger/book/value.ts'
import { bootstrapInterval, clusteredRatio } from '../../../core/models/intervals.ts'
import { halfLife, moments } from '../../../core/models/sample-statistics.ts'
import { deflatedSharpe, sharpeRatio } from '../../models/sharpe.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import { type Interval, type Markout, type BacktestMetrics, yieldBpsOf } from '../result.ts'
import type { ClusterSums } from './bounded/sums.ts'
import { deepestFall, wholeDays, type WholeDay } from './daily.ts'
import type { RecorderState } from './state.ts'
import { poissonInterval } from '../../../core/models/distributions.ts'
import { SIDES } from '../../../base/money/side.ts'

/** With fewer days there is no interval, and with fewer hours no half-life. */
const FEWEST_DAYS = 5
const FEWEST_HOURS = 24
/** A fair value that moves less often between prints is not an intraday feed. */
const MOVES_PER_DAY = 4

/** Returns the figures of quant.md section 4 for a finished recording. */
export function measure(state: RecorderState): BacktestMetrics {
  const { final, fills, days } = state
  invariant(state.phase === 'ended' && final !== null, 'metrics need a recording that has ended')
  const whole = wholeDays(days.rows())
  const { bps: mean, ci90 } = bpsOf(state.edge)
  const turnoverUsd = Number(fills.turnover18) / 1e18
  return {
    turnoverUsd: formatDecimalText(fills.turnover18, 18),
    edgeBps: { mean, ci90 },
    halfSpreadBps: halfSpreads(state, mean),
    yieldBps: yieldBpsOf(Number(final.usd.total) / 1e54, turnoverUsd),
    markouts: markouts(state),
    ...lessHolding(state, final),
    ...capitalCost(state),
    sharpe: sharpe(whole, fills.bid + fills.ask, state.settings.variantsTried ?? 1),
    maxDrawdown: maxDrawdown(state, final, whole),
    inventory: inventory(state),
    inventoryTzs: inventoryTerms(state, final),
    ...shares(state),
    timeBound: timeBound(state),
    observedToExpected: observedToExpected(state),
    ...state.split.figures(),
    fillsBySide: { bid: fills.bid, ask: fills.ask },
    rejectedFor: { inventory: state.rejectedInventory, dust: state.rejectedDust },
    prints: state.prints,
    days: days.rows().length,
    fairValue: state.hasFair || state.moves > 0 ? 'reference' : 'mid',
    syntheticFills: fills.synthetic,
    syntheticPnlShare: fills.edge > 0 ? Math.min(1, fills.syntheticEdge / fills.edge) : 0,
  }
}

function bpsOf(sums: ClusterSums): { readonly bps: number | null; readonly ci90: Interval } {
  const ratio = clusteredRatio(sums.clusters())
  if (ratio === null) return { bps: null, ci90: null }
  const { value, interval } = ratio
  return { bps: 1e4 * value, ci90: interval === null ? null : [1e4 * interval[0], 1e4 * interval[1]] }
}

function markouts(state: RecorderState): readonly Markout[] {
  const days = (state.t - state.openedAt) / DAY_MS
  const isFed = state.moves > 0 && state.moves >= MOVES_PER_DAY * days
  const horizons = [...state.printMarkouts.horizons, ...(isFed ? state.timedMarkouts.horizons : [])]
  return horizons.map(({ horizon, sums }) => ({
    horizon,
    ...bpsOf(sums),
    fills: sums.fills(),
    prints: sums.count(),
  }))
}

function halfSpreads(
  { fills, printMarkouts }: RecorderState,
  effective: number | null,
): BacktestMetrics['halfSpreadBps'] {
  const { tzs, weight } = printMarkouts.moved()
  const next = printMarkouts.horizons[0]
  return {
    posted: fills.weight > 0 ? fills.postedWeight / fills.weight : null,
    effective,
    realised: next === undefined ? null : bpsOf(next.sums).bps,
    impact: weight > 0 ? (-1e4 * tzs) / weight : null,
  }
}

/** Returns the gain from holding the opening position, in dollars: only the value of the shillings changes. */
export function holdingUsd54({ openingShillings, openingInverse, fairRate }: RecorderState): Usd54 {
  return openingShillings * (inverseRate(fairRate) - openingInverse)
}

function lessHolding(
  state: RecorderState,
  { usd }: Pnl,
): Pick<BacktestMetrics, 'pnlLessHoldingUsd' | 'perDay'> {
  const less = usd.total - holdingUsd54(state)
  const days = (state.t - state.openedAt) / DAY_MS
  const aDay = (sum: Usd54): number | null => (days > 0 ? Number(sum) / 1e54 / days : null)
  return {
    pnlLessHoldingUsd: formatDecimalText(less, 54),
    perDay: { pnlUsd: aDay(usd.total), lessHoldingUsd: aDay(less) },
  }
}

const YEAR_MS = 365 * DAY_MS

/** Interest in each currency on what was held of it, both valued at the last fair value. */
function capitalCost({ settings, time, fair }: RecorderState): Pick<BacktestMetrics, 'capitalCost'> {
  if (settings.capitalCost === undefined) return {}
  const { ntzsPerYear, usdPerYear } = settings.capitalCost
  const [onShillings, onDollars] = [(ntzsPerYear * time.tzs) / YEAR_MS, (usdPerYear * time.dollars) / YEAR_MS]
  return {
    capitalCost: {
      tzs: toMicros(onShillings + onDollars * fair),
      usd: toMicros(onDollars + onShillings / fair),
    },
  }
}

function sharpe(days: readonly WholeDay[], fills: number, variantsTried: number): BacktestMetrics['sharpe'] {
  const less = days.map(({ lessHoldingUsd }) => lessHoldingUsd)
  const known = {
    days: days.length,
    daily: meanOf(days.map(({ pnlUsd }) => pnlUsd)),
    dailyLessHolding: meanOf(less),
  }
  const none = { se: null, probabilistic: null, deflated: null }
  // Without trades the position only holds, which is not better than holding.
  if (fills === 0) return { perDay: 0, ...none, ...known }
  const ratio = sharpeRatio(less)
  if (ratio === null) return { perDay: null, ...none, ...known }
  const { perDay, se, probabilistic } = ratio
  // The other variants are not available here, so their ratios are assumed to scatter like worthless ones.
  const trials = { count: variantsTried, varianceOfSharpe: 1 / (ratio.days - 1) }
  return { perDay, se, probabilistic, deflated: deflatedSharpe(ratio, trials), ...known }
}

function meanOf(values: readonly number[]): BacktestMetrics['sharpe']['daily'] {
  if (values.length < 2) return null
  const { mean, sd } = moments(values)
  return { mean, se: sd / Math.sqrt(values.length) }
}

function maxDrawdown(
  { held, settings }: RecorderState,
  final: Pnl,
  days: readonly WholeDay[],
): BacktestMetrics['maxDrawdown'] {
  const places = days.map((_, place) => place)
  const fallOf = (drawn: Float64Array) => deepestFall(days, drawn)
  const random = seededRandom(settings.seed, 'band of the drawdown')
  const band = days.length < FEWEST_DAYS ? null : bootstrapInterval(places, fallOf, { random })
  return {
    tzs: formatDecimalText(final.maxDrawdownTzs, 36),
    usd: toMicros(held.worstFall),
    share: held.fellFrom > 0 ? Math.min(1, toMicros(held.worstFall) / held.fellFrom) : 0,
    ci90Usd: band === null ? null : [toMicros(band.low), toMicros(band.high)],
  }
}

function inventory({ deviation, hourly, time, t, openedAt }: RecorderState): BacktestMetrics['inventory'] {
  const values = hourly.values()
  const steps = values.length < FEWEST_HOURS ? null : halfLife(values)
  return {
    meanAbs: deviation.mean(),
    p95: deviation.quantile(0.95),
    timeAtLimit: shareOf(time.atLimit, t - openedAt),
    halfLife: steps === null ? null : (steps * hourly.stepMs()) / DAY_MS,
  }
}

/** `adverse` is the move up to the next rate update after each fill; `drift` is the later move. */
function inventoryTerms(state: RecorderState, final: Pnl): BacktestMetrics['inventoryTzs'] {
  const { printMarkouts, openingDollars, openingFair, fair } = state
  const buyAndHold = openingDollars * (fair - openingFair)
  const adverse = printMarkouts.moved().tzs + printMarkouts.waiting(fair)
  const drift = Number(final.tzs.inventory) / 1e36 - buyAndHold - adverse
  return { buyAndHold: toMicros(buyAndHold), adverse: toMicros(adverse), drift: toMicros(drift) }
}

function shares({
  time,
  t,
  openedAt,
}: RecorderState): Pick<BacktestMetrics, 'uptime' | 'bestShare' | 'staleness'> {
  const all = t - openedAt
  return {
    uptime: { bid: shareOf(time.bid, all), ask: shareOf(time.ask, all) },
    bestShare: {
      bid: time.bidKnown > 0 ? shareOf(time.bidBest, time.bidKnown) : null,
      ask: time.askKnown > 0 ? shareOf(time.askBest, time.askKnown) : null,
    },
    staleness: {
      midMs: all > 0 ? Math.round(time.midAge / all) : null,
      quoteMs: all > 0 && time.quoteAge > 0 ? Math.round(time.quoteAge / all) : null,
    },
  }
}

function timeBound({ binding, t, openedAt }: RecorderState): BacktestMetrics['timeBound'] {
  return binding.times(t).map(({ kind, name, ms }) => ({ kind, name, share: shareOf(ms, t - openedAt) }))
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0
}

/** Rounds off the noise of differences of large doubles; a millionth is the last significant digit. */
function toMicros(value: number): number {
  return Math.round(value * 1e6) / 1e6 || 0
}

/** Updates the expected fills per millisecond after a quote or the routing changed. */
export function expectFrom(state: RecorderState): void {
  const { expected, routed, settings } = state
  const { law } = settings
  if (law === null) return
  let perDay = 0
  for (const side of SIDES) {
    const { a, k } = law[side]
    // NaN = the side is off, or no quote has been reported yet.
    if (!Number.isNaN(state[side])) perDay += routed[side] * a * Math.exp(-k * state[side])
  }
  expected.perMs = perDay / DAY_MS
}

/** Returns observed over expected fills with the exact interval of the observed (quant.md section 4); null without a law. */
function observedToExpected({
  settings,
  expected,
  fills,
}: RecorderState): BacktestMetrics['observedToExpected'] {
  if (settings.law === null) return null
  const observed = fills.bid + fills.ask
  const wanted = expected.fills
  if (!(wanted > 0)) return { observed, expected: 0, ratio: null, ci90: null }
  const { low, high } = poissonInterval(observed)
  return { observed, expected: wanted, ratio: observed / wanted, ci90: [low / wanted, high / wanted] }
}

const FEW_PRINTS = 20
const FEW_DAYS = 60
const MUCH_SYNTHETIC = 0.2
const MUCH_REJECTED = 0.05
const MUCH_BOUND = 0.5

/** Returns the limitations that a reader must know, one sentence each; empty = no warning. */
export function metricWarnings(metrics: BacktestMetrics): readonly string[] {
  const { prints, fairValue, sharpe, syntheticPnlShare, fillsBySide, rejectedFor, timeBound } = metrics
  const fills = fillsBySide.bid + fillsBySide.ask
  const bound = timeBound
    .filter(({ kind, share }) => kind === 'rule' && share > MUCH_BOUND)
    .map(
      ({ name, share }) =>
        `the rule ${name} applied ${(100 * share).toFixed(1)} % of the time: what was quoted then is not the strategy's choice alone`,
    )
  if (fills === 0) return ['nothing was traded: there is no edge to measure', ...bound]
  const turnedAway = rejectedFor.inventory / (fills + rejectedFor.inventory)
  return [
    ...bound,
    fairValue === 'mid'
      ? "no fair value is known: the edge is measured against the venue's own mid, which only returns the spread; rely on the markouts"
      : null,
    prints < FEW_PRINTS
      ? `the mid moved only ${prints} ${prints === 1 ? 'time' : 'times'}: fills between two moves share the next one, so intervals are rough`
      : null,
    sharpe.days < FEW_DAYS
      ? `${sharpe.days} ${sharpe.days === 1 ? 'day is' : 'days are'} too few to annualise: the daily figures are means with their errors`
      : null,
    syntheticPnlShare > MUCH_SYNTHETIC
      ? `${(100 * syntheticPnlShare).toFixed(0)} % of the edge comes from synthetic fills: an assumption of the fill model`
      : null,
    turnedAway > MUCH_REJECTED
      ? `${(100 * turnedAway).toFixed(0)} % of the takers found too little in the pool to be paid`
      : null,
  ].filter((text) => text !== null)
}
