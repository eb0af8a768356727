import { HOUR_MS, type Ms } from '../../../base/time.ts'
import { invariant } from '../../../base/result.ts'
import type { BookState } from '../../../core/ledger/book/book.ts'
import { mapTerms, pnl } from '../../../core/ledger/book/pnl.ts'
import { dollars18, inverseRate } from '../../../core/ledger/book/value.ts'
import type { Amounts } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { BacktestMetrics } from '../result.ts'
import type { MarkedRows, Recorder } from '../recorder.ts'
import { agedBy, elapse, exposeUntil, noteLimit, onFill, revalue, setRates, settleUpdate } from './updates.ts'
import { createExtremes } from './bounded/series.ts'
import { createEvenSamples } from './bounded/samples.ts'
import { dailyResults, type DailyResults, type DayRow } from './daily.ts'
import { expectFrom, holdingUsd54, measure } from './measure.ts'
import { plotsOf, seriesOf } from './collect-series.ts'
import { createTimeHistogram } from './bounded/sums.ts'
import type { Plot } from '../../../core/strategy/define-strategy.ts'
import type { BacktestSeries, PlotColumns } from './series.ts'
import { createRecorderState, type RecorderSettings, type RecorderState } from './state.ts'

/** A recorder that returns its measurements after the run, and ignores later events. */
export type MetricsRecorder = Recorder & {
  readonly metrics: () => BacktestMetrics
  readonly series: () => BacktestSeries
  /** Every UTC day of the run by columns. */
  readonly daily: () => DailyResults
  readonly days: () => readonly DayRow[]
  readonly plots: () => PlotColumns
}

/**
 * Measures a backtest as in quant.md section 4, in memory that does not grow with the fills: sums, one row per day, and
 * series of bounded length. Deterministic in calls and seed.
 */
export function createMetricsRecorder(settings: RecorderSettings): MetricsRecorder {
  const state = createRecorderState(settings)
  /** Advances the time to `t` before a change; false = ignore the change. */
  const happens = (t: Ms): boolean => {
    if (state.phase !== 'open') return false
    elapse(state, t)
    state.steps.touch(t)
    return true
  }
  /** May also be called before the books open. */
  const changes = (t: Ms): boolean => happens(t) || state.phase === 'before'
  return {
    open: (t, held, mid, fair) => open(state, t, held, mid, fair),
    fill(fill) {
      if (!happens(fill.t)) return
      setRates(state, fill.mid, fill.fair)
      onFill(state, fill)
    },
    rejected(_t, _side, why) {
      if (why === 'inventory') state.rejectedInventory += 1
      else state.rejectedDust += 1
    },
    mark(t, mid, fair, print) {
      if (happens(t)) mark(state, t, mid, fair, print)
    },
    marks: (rows) => markRows(state, rows),
    restate(t, mid, fair) {
      if (happens(t)) restate(state, mid, fair)
    },
    quote(t, bidBps, askBps) {
      if (changes(t)) requote(state, t, bidBps ?? Number.NaN, askBps ?? Number.NaN)
    },
    binding: (t, bound) => {
      if (state.phase !== 'ended') state.binding.set(t, bound)
    },
    plot: (t, plot) => addPlot(state, t, plot),
    competition(t, side, bps) {
      if (changes(t)) state[side === 'bid' ? 'otherBid' : 'otherAsk'] = bps ?? Number.NaN
    },
    routed(t, side, share) {
      if (!changes(t)) return
      exposeUntil(state, t)
      state.routed[side] = share
      expectFrom(state)
    },
    day(t, book) {
      if (happens(t)) endDay(state, t, book)
    },
    end(t, book) {
      if (happens(t)) end(state, t, book)
    },
    metrics: () => measure(state),
    series: () => seriesOf(state),
    daily: () => dailyResults(state.days.rows()),
    days: () => state.days.rows(),
    plots: () => plotsOf(state),
  }
}

/** A strategy that invents names has a bounded report. */
const MAX_PLOTS = 26

function addPlot({ plots, phase }: RecorderState, t: Ms, plot: Plot): void {
  if (phase === 'ended') return
  for (const [name, value] of Object.entries(plot)) {
    if (!plots.has(name) && plots.size < MAX_PLOTS) plots.set(name, createExtremes())
    plots.get(name)?.add(t, value)
  }
}

function open(state: RecorderState, t: Ms, amounts: Readonly<Amounts>, mid: Rate, fair: Rate): void {
  const { held } = state
  state.phase = 'open'
  state.openedAt = t
  state.t = t
  state.printedAt = t
  if (!Number.isNaN(state.quotedAt)) state.quotedAt = t
  held.dollars = Number(dollars18(amounts)) / 1e18
  held.tzs = Number(amounts.NTZS) / 1e18
  setRates(state, mid, fair)
  state.steps.touch(t)
  state.days.begin(t)
  state.binding.open(t)
  revalue(state)
  state.reach.begin(held.value)
  state.openingDollars = held.dollars
  state.openingTzs = held.tzs
  state.openingFair = state.fair
  state.openingShillings = amounts.NTZS
  state.openingInverse = inverseRate(fair)
  state.deviation = createTimeHistogram(Math.max(1, held.value))
  state.hourly = createEvenSamples(t, HOUR_MS)
}

function requote(state: RecorderState, t: Ms, bid: number, ask: number): void {
  state.time.quoteAge += agedBy(state.quotedAt, t)
  state.quotedAt = t
  exposeUntil(state, t)
  state.bid = bid
  state.ask = ask
  expectFrom(state)
  noteLimit(state)
}

function mark(state: RecorderState, t: Ms, mid: Rate, fair: Rate, print: boolean): void {
  // If the mid changes several times at one moment, each earlier update is settled at its own row's fair value.
  if (print) settleUpdate(state)
  const isMove = fair !== state.fairRate
  if (isMove && !print) state.moves += 1
  setRates(state, mid, fair)
  if (print) {
    state.time.midAge += agedBy(state.printedAt, t)
    state.printedAt = t
    state.prints += 1
    state.hasUpdate = true
  }
  if (isMove) revalue(state)
  else noteLimit(state)
}

/** As `mark` for every new mid of the rows, each of which prints the fair value. */
function markRows(state: RecorderState, { places, opening, t: times, mids, first, next }: MarkedRows): void {
  if (state.phase !== 'open') return
  const { rates, tzs } = places
  let before = opening
  for (let row = first; row < next; row++) {
    const mid = mids[row]!
    if (places.isEqual(mid, before)) continue
    before = mid
    const t = times[row]!
    elapse(state, t)
    state.steps.touch(t)
    settleUpdate(state)
    state.midRate = state.fairRate = rates[mid]!
    state.mid = state.fair = tzs[mid]!
    state.time.midAge += agedBy(state.printedAt, t)
    state.printedAt = t
    state.prints += 1
    state.hasUpdate = true
    revalue(state)
  }
}

/** A change of the fair-value source is not PnL: restates value and peak. */
function restate(state: RecorderState, mid: Rate, fair: Rate): void {
  settleUpdate(state)
  const { held, fair: before, fairRate } = state
  const inverse = state.restated?.inverse ?? 0
  const stepped = state.restated?.usd ?? 0
  const worth = held.value
  setRates(state, mid, fair)
  state.restated = {
    at: state.t,
    before: worth,
    usd: stepped + held.dollars + held.tzs / state.fair - worth,
    inverse: inverse + 1 / state.fair - 1 / before,
  }
  state.openingInverse += inverseRate(fair) - inverseRate(fairRate)
  state.moves += 1
  state.openingFair += state.fair - before
  state.printMarkouts.restart()
  const shift = held.dollars + held.tzs / state.fair - held.value
  held.peak += shift
  state.reach.shift(shift)
  revalue(state)
}

function end(state: RecorderState, t: Ms, book: BookState): void {
  revalue(state)
  exposeUntil(state, t)
  settleUpdate(state)
  // Meets horizons that end with the run.
  state.timedMarkouts.until(t + 1, state.fair)
  endDay(state, t, book)
  state.time.quoteAge += agedBy(state.quotedAt, t)
  state.time.midAge += agedBy(state.printedAt, t)
  state.phase = 'ended'
}

function endDay(state: RecorderState, t: Ms, book: BookState): void {
  const now = pnl(book)
  invariant(now !== null, 'the book of a trail has a mark to be valued with')
  const { tzs, usd } = now
  state.final = now
  state.days.end(t, {
    fair: state.fair,
    reach: state.reach.end(state.held.value),
    holdingUsd54: holdingUsd54(state),
    terms: mapTerms((term) => Number(tzs[term]) / 1e36),
    termsUsd: {
      edge: Number(usd.edge) / 1e54,
      inventory: Number(usd.inventory) / 1e54,
      costs: Number(usd.costs) / 1e54,
      unreconciled: Number(usd.unreconciled) / 1e54,
    },
    totalUsd54: usd.total,
    turnover18: state.fills.turnover18,
    fills: state.fills.bid + state.fills.ask,
    bidMs: state.time.bid,
    askMs: state.time.ask,
  })
}
