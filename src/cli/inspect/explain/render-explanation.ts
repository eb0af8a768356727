import type { Move } from '../../../core/quoting/next-move.ts'
import type { StrategyQuote } from '../../../core/strategy/define-strategy.ts'
import { floatText, percentText } from '../../../base/text/numbers.ts'
import { ageText, timeText } from '../../../base/text/times.ts'
import { alignColumns } from '../../output/tables.ts'
import { printable } from '../../../base/printable.ts'
import type { Explanation } from '../../../research/diagnosis/explain/decide.ts'
import { shareOf, type Situation } from '../../../research/diagnosis/explain/situation.ts'

/** Renders the quote of one moment, from the strategy's inputs to the resulting write. */
export function renderExplanation({ situation, from, strategy, wanted, decided }: Explanation): string {
  const { approval, rules, move } = decided
  const { target, clamps, refusal } = approval
  const bound = [...rules, ...(refusal === null ? [] : [refusal])]
  return [
    `moment    ${timeText(Date.parse(situation.now))}, from ${from}`,
    ...inputLines(situation),
    '',
    ...alignColumns([[strategy, 'bid', 'ask'], ...termRows(wanted)], (column) => column === 0).map(printable),
    '',
    ...wanted.reasons.map((reason) => `because   ${printable(reason)}`),
    ...(wanted.fallback === undefined ? [] : [`fallback  ${printable(wanted.fallback)}`]),
    ...clamps.map(
      ({ side, wanted: from, sent }) =>
        `clamp     ${side} ${bps(from)} is moved to ${sent}: the venue admits 10 to 500 bps`,
    ),
    ...bound.map(
      ({ rule, limit, actual, message }) =>
        `rule      ${rule}: limit ${limit}, actual ${actual}; ${printable(message)}`,
    ),
    `approved  ${target.kind === 'deactivate' ? 'deactivate' : `bid ${side(target.bidBps)}, ask ${side(target.askBps)}`}, ${approval.state}${target.safety ? ', for safety' : ''}`,
    `standing  bid ${side(situation.standing.bidBps)}, ask ${side(situation.standing.askBps)}`,
    `write     ${moveText(move, situation)}`,
  ].join('\n')
}

function inputLines(situation: Situation): readonly string[] {
  const { mid, midAgeMs, fairValue, fairShift, feeds, inventory, competition, markouts } = situation
  const { imbalance, usdShare } = shareOf(situation)
  const age = midAgeMs === null ? 'of unknown age' : `${ageText(midAgeMs)} old`
  const rival = (one: Situation['competition']['bid']) => (one === null ? 'unknown' : bps(one.bestBps))
  const markout = (one: Situation['markouts']['bid']) =>
    one === null ? 'unknown' : `${bps(one.meanBps)} +- ${bps(one.errorBps)} of ${one.fills}`
  return [
    `mid       ${floatText(mid, 4)}, ${age}`,
    `fair      ${floatText(fairValue.tzsPerUsd, 4)} by the feeds; estimated ${bps(fairShift.bps, 'plus')} +- ${bps(fairShift.errorBps)} bps from the mid, drift ${bps(fairShift.driftBpsPerDay, 'plus')} bps a day, ${fairShift.feeds} feeds`,
    ...fairShift.reasons.map((reason) => `          ${printable(reason)}`),
    ...feeds.map(
      ({ name, tzsPerUsd, ageMs, status }) =>
        `feed      ${printable(name)}: ${status}, ${tzsPerUsd === null ? 'no figure' : floatText(tzsPerUsd, 4)}${ageMs === null ? '' : `, ${ageText(ageMs)} old`}`,
    ),
    `inventory ${floatText(inventory.usd, 2)} USD and ${floatText(inventory.ntzs, 0)} NTZS: ${percentText(usdShare)} dollars, target ${percentText(inventory.target)}, imbalance ${floatText(imbalance, 3, 'plus')}`,
    `best      bid ${rival(competition.bid)}, ask ${rival(competition.ask)}; markouts bid ${markout(markouts.bid)}, ask ${markout(markouts.ask)}`,
  ]
}

/** Returns the terms with their running sum as the last row; without terms, the quote as a single row. */
function termRows({ terms, bidBps, askBps }: StrategyQuote): readonly (readonly string[])[] {
  const quote = ['wanted', side(bidBps), side(askBps)]
  if (terms === undefined) return [['the quote as a whole', side(bidBps), side(askBps)], quote]
  return [...terms.map((term) => [term.name, bps(term.bidBps, 'plus'), bps(term.askBps, 'plus')]), quote]
}

function moveText(move: Move | null, { now }: Situation): string {
  if (move === null) return 'not known without the state of a position'
  if (move.kind === 'none') return 'none: the live quote is near enough, or a write is under way'
  if (move.kind === 'read-back') return 'the live quote is read from the venue first'
  if (move.kind === 'wait')
    return `not before ${timeText(move.until)}, in ${ageText(move.until - Date.parse(now))}`
  const { spread, reason } = move
  const of = (isOn: boolean, value: number) => (isOn ? String(value) : 'off')
  return `PATCH bid ${of(spread.quoteBid, spread.bidBps)}, ask ${of(spread.quoteAsk, spread.askBps)} (${reason})`
}

function side(value: number | null): string {
  return value === null ? 'off' : bps(value)
}

function bps(value: number, sign: 'plain' | 'plus' = 'plain'): string {
  return floatText(value, Number.isInteger(value) ? 0 : 1, sign)
}
