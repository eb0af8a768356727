import type { BacktestResult, PnlTerms } from '../../backtest/result.ts'
import { DAY_MS } from '../../../base/time.ts'
import { PNL_TERMS, type PnlTerm } from '../../../core/ledger/book/pnl.ts'
import { ASSETS, type Asset } from '../../../base/money/asset.ts'
import { ageText, timeText } from '../../../base/text/times.ts'
import {
  countText,
  decimalText,
  floatText,
  intervalText,
  percentText,
  roundToSum,
} from '../../../base/text/numbers.ts'

/** A labelled line of a summary, in pieces of one fact each. An empty label continues the line above. */
export type BacktestRow = readonly [label: string, pieces: readonly string[]]

const UNKNOWN = 'too little data'

/** Returns the measurements as text for the summary and the report. An unknown one is shown as unknown, never as 0. */
export function backtestRows(result: BacktestResult): readonly BacktestRow[] {
  return [
    ['turnover', turnoverPieces(result)],
    ['half-spreads', halfSpreadPieces(result)],
    ['fair value', [fairValueText(result)]],
    ...result.markouts.map((markout, index): BacktestRow => [
      index === 0 ? 'markouts' : '',
      [markoutText(markout)],
    ]),
    ['daily PnL', dailyPieces(result)],
    ['less holding', lessHoldingPieces(result)],
    ['drawdown', drawdownPieces(result)],
    ['inventory', inventoryPieces(result)],
    ['', inventoryTermPieces(result)],
    ['quoted', quotedPieces(result)],
    ['bound', boundPieces(result)],
    ['fills', fillPieces(result)],
    ['opening', amountPieces(result.opening, result.finalBalances)],
    ['final', amountPieces(result.finalBalances, result.opening)],
    ['identity', identityPieces(result)],
  ]
}

/** Returns the row with strategy, fill model, seed and window. */
export function runRow({ strategy, fillModel, seed, from, to }: BacktestResult): BacktestRow {
  const [begin, end] = [from, to].map((text) => timeText(Date.parse(text)))
  return ['run', [`${strategy}, fills ${fillModel}, seed ${seed}`, `${begin} to ${end}`]]
}

export function speedRow({ events, elapsedMs, eventsPerSecond, readMs }: BacktestResult): BacktestRow {
  return [
    'speed',
    [
      `${countText(events, 'row')} in ${floatText(elapsedMs / 1000, 2)} s`,
      `${floatText(eventsPerSecond, 0)} a second`,
      `${floatText(readMs / 1000, 2)} s of reading`,
    ],
  ]
}

function turnoverPieces({ turnoverUsd, yieldBps }: BacktestResult): readonly string[] {
  const traded = `${decimalText(turnoverUsd, 2)} USD`
  return yieldBps === null ? [traded] : [traded, `PnL ${bpsText(yieldBps)} of it`]
}

function halfSpreadPieces({ halfSpreadBps }: BacktestResult): readonly string[] {
  const { posted, effective, realised, impact } = halfSpreadBps
  const text = (value: number | null) => (value === null ? UNKNOWN : bpsText(value))
  return [
    `posted ${text(posted)}`,
    `effective ${text(effective)}`,
    `realised ${text(realised)}`,
    `impact ${text(impact)}`,
  ]
}

function fairValueText({ fairValueSource }: BacktestResult): string {
  return fairValueSource === null
    ? "the venue's own mid: no references were read"
    : `references of the source ${fairValueSource}`
}

function markoutText({ horizon, bps, ci90, fills, prints }: BacktestResult['markouts'][number]): string {
  const label = horizon.padEnd('next print'.length)
  if (bps === null) return `${label}  ${UNKNOWN}`
  return `${label}  ${bpsText(bps)} (${intervalText(ci90)}), ${countText(fills, 'fill')} by ${countText(prints, 'print')}`
}

function dailyPieces({ sharpe: { daily, days } }: BacktestResult): readonly string[] {
  if (daily === null) return [`${UNKNOWN}: ${countText(days, 'day')}`]
  return [`${meanText(daily)} over ${countText(days, 'day')}`]
}

function lessHoldingPieces({ pnlLessHoldingUsd, sharpe, variantsTried }: BacktestResult): readonly string[] {
  const { dailyLessHolding, perDay, se, probabilistic, deflated } = sharpe
  const total = `${decimalText(pnlLessHoldingUsd, 2, 'plus')} USD`
  const daily = dailyLessHolding === null ? [] : [`${meanText(dailyLessHolding)} a day`]
  if (perDay === null) return [total, ...daily, `Sharpe: ${UNKNOWN}`]
  const ratio = `Sharpe ${floatText(perDay, 3)}`
  if (se === null || probabilistic === null || deflated === null) return [total, ...daily, `${ratio} a day`]
  return [
    total,
    ...daily,
    `${ratio} +- ${floatText(se, 3)} a day`,
    `above 0 with probability ${floatText(probabilistic, 3)}`,
    `deflated for ${countText(variantsTried, 'variant')} ${floatText(deflated, 3)}`,
  ]
}

function meanText({ mean, se }: { readonly mean: number; readonly se: number }): string {
  return `${floatText(mean, 2, 'plus')} +- ${floatText(se, 2)} USD`
}

function drawdownPieces({ maxDrawdown: { tzs, usd, share, ci90Usd } }: BacktestResult): readonly string[] {
  return [
    `${floatText(usd, 2)} USD, ${percentText(share, 2)} of the peak`,
    ci90Usd === null ? 'too few days for an interval' : intervalText(ci90Usd, 'plain'),
    `${decimalText(tzs, 2)} TZS`,
  ]
}

function inventoryPieces({ inventory }: BacktestResult): readonly string[] {
  const { meanAbs, p95, timeAtLimit, halfLife } = inventory
  if (meanAbs === null || p95 === null) return [UNKNOWN]
  return [
    `${floatText(meanAbs, 2)} USD from the target on average`,
    `95 % of the time within ${floatText(p95, 2)}`,
    `at a limit ${percentText(timeAtLimit)} of the time`,
    halfLife === null ? 'half-life unknown' : `half-life ${floatText(halfLife, 1)} days`,
  ]
}

function inventoryTermPieces({ inventoryTzs }: BacktestResult): readonly string[] {
  const { buyAndHold, adverse, drift } = inventoryTzs
  return [
    `its PnL: opening position ${floatText(buyAndHold, 2, 'plus')} TZS`,
    `up to the print after each fill ${floatText(adverse, 2, 'plus')}`,
    `later ${floatText(drift, 2, 'plus')}`,
  ]
}

function quotedPieces(result: BacktestResult): readonly string[] {
  const { uptime, bestShare, staleness, quoteUpdates, from, to } = result
  const best = (share: number | null) => (share === null ? 'not known' : percentText(share))
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
  const often = days > 0 ? `, ${floatText(quoteUpdates / days, 1)} a day` : ''
  return [
    `bid ${percentText(uptime.bid)} of the time, ask ${percentText(uptime.ask)}`,
    `among the best while others are known: bid ${best(bestShare.bid)}, ask ${best(bestShare.ask)}`,
    `${countText(quoteUpdates, 'update')}${often}`,
    `mean age of the mid ${ageText(staleness.midMs)}, of our quote ${ageText(staleness.quoteMs)}`,
  ]
}

function boundPieces({ timeBound, fallback }: BacktestResult): readonly string[] {
  const fell = fallback === null ? [] : [`the strategy fell back ${percentText(fallback.share)} of the time`]
  if (timeBound.length === 0) return ['no risk rule and no clamp applied', ...fell]
  return [
    ...timeBound.map(({ kind, name, share }) => `${kind} ${name} ${percentText(share)} of the time`),
    ...fell,
  ]
}

function expectedPieces({ observedToExpected }: BacktestResult): readonly string[] {
  if (observedToExpected === null) return []
  const { expected, ratio, ci90 } = observedToExpected
  const wanted = `${floatText(expected, 1)} expected by the calibration`
  return ratio === null
    ? [wanted]
    : [`${floatText(ratio, 2)} (${intervalText(ci90, 'plain')}) of the ${wanted}`]
}

function fillPieces(result: BacktestResult): readonly string[] {
  const { fillsBySide, rejectedFor, syntheticFills, syntheticPnlShare } = result
  const { inventory, dust } = rejectedFor
  return [
    `${floatText(fillsBySide.bid, 0)} bid, ${floatText(fillsBySide.ask, 0)} ask`,
    ...expectedPieces(result),
    ...(syntheticFills > 0 ? [`synthetic fills made ${percentText(syntheticPnlShare)} of the edge`] : []),
    ...(inventory > 0 ? [`${countText(inventory, 'taker')} turned away: the pool was short`] : []),
    ...(dust > 0 ? [`${countText(dust, 'taker')} turned away: their payout was dust`] : []),
  ]
}

/** Returns the amount of each token held at the beginning or at the end. */
function amountPieces(
  shown: Readonly<Record<Asset, string>>,
  other: Readonly<Record<Asset, string>>,
): readonly string[] {
  return ASSETS.filter((asset) => shown[asset] !== '0' || other[asset] !== '0').map(
    (asset) => `${decimalText(shown[asset], 2)} ${asset}`,
  )
}

function identityPieces({ identityResidual: { tzs, usd } }: BacktestResult): readonly string[] {
  return [`PnL outside the terms: ${tzs} TZS, ${usd} USD`]
}

function bpsText(value: number): string {
  return `${floatText(value, 2, 'plus')} bps`
}

export const TERM_NAMES: Readonly<Record<PnlTerm, string>> = {
  spreadCapture: 'spread capture',
  staleMid: 'stale mid',
  inventory: 'inventory',
  costs: 'costs',
  unreconciled: 'unreconciled',
}

/** Returns the terms of the PnL and their total, in TZS and USD, rounded so that the shown terms add up. */
export function pnlRows({
  pnl: { tzs, usd },
  capitalCost,
}: Pick<BacktestResult, 'pnl' | 'capitalCost'>): readonly (readonly [string, string, string])[] {
  const [shillings, dollars] = [pnlColumn(tzs, 2), pnlColumn(usd, 4)]
  const rows = [...PNL_TERMS.map((term) => TERM_NAMES[term]), 'total'].map(
    (name, index) => [name, shillings[index] ?? '', dollars[index] ?? ''] as const,
  )
  if (capitalCost === undefined) return rows
  const cost = [floatText(-capitalCost.tzs, 2, 'plus'), floatText(-capitalCost.usd, 4, 'plus')] as const
  return [...rows, ['cost of capital, not in total', ...cost]]
}

function pnlColumn(exact: PnlTerms, digits: number): readonly string[] {
  const { terms, total } = roundToSum(
    PNL_TERMS.map((term) => exact[term]),
    digits,
  )
  return [...terms, total].map((text) => decimalText(text, digits, 'plus'))
}
