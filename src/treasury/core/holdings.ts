import { addFlow } from '../model/flow-history.ts'
import { type ClaimTrace, claimEvidenceOf, tracesOf } from '../books/claim-evidence.ts'
import { bookFlow, bookHoldings } from '../books/readings.ts'
import { correctedFigures, openFigures, takeFigure } from '../intents/provisional.ts'
import { isEnded } from '../intents/legs.ts'
import { activeIntents } from '../intents/plan-intent.ts'
import type { TreasuryEventOf } from '../model/event.ts'
import type { Leg } from '../model/intent.ts'
import type { TreasuryPlace } from '../model/place.ts'
import { watchExit } from './exit-liquidity.ts'
import { forgetOld } from './schedule.ts'
import type { TreasuryTransition } from '../transition.ts'

/** Handles a reading of the balances: compares the books with it, and requests a plan. */
export function takeHoldings(transition: TreasuryTransition, event: TreasuryEventOf<'holdingsSeen'>): void {
  const { state, now, emit, alert } = transition
  Object.assign(state, {
    holdings: event.holdings,
    holdingsAt: now,
    quote: event.quote,
    solver: event.solver ?? null,
  })
  state.mid = event.mid ?? state.mid
  state.unreadable = state.unreadable.filter(
    ({ rail }) => (event.holdings as Readonly<Record<string, unknown>>)[rail] === null,
  )
  const { postings, differing, traced, found } = bookHoldings(state.books, event.holdings, state.mid, now, {
    touched: touched(transition),
    claims: openClaims(transition).flatMap(tracesOf),
    figures: openFigures(transition),
    corrected: correctedFigures(transition),
  })
  for (const finding of found) takeFigure(transition, finding)
  showEvidence(transition, event, traced)
  if (postings.length > 0)
    emit({ type: 'booked', intent: '', reason: 'the balances as they were read', postings })
  for (const words of differing) alert('treasury-books-differ', words)
  watchExit(transition)
  forgetOld(transition)
  state.schedule.isPlanDue = true
}

/** Updates the evidence of open claims from this reading. */
function showEvidence(
  transition: TreasuryTransition,
  { holdings }: TreasuryEventOf<'holdingsSeen'>,
  traced: readonly ClaimTrace[],
): void {
  const isRead = (place: TreasuryPlace) => place !== 'bank' && place !== 'phone' && holdings[place] !== null
  for (const leg of openClaims(transition)) {
    const seen = traced.filter((trace) => trace.leg === leg)
    if (seen.length === 0 && leg.evidence === undefined) continue
    const kept = (leg.evidence ?? []).filter(
      ({ by, suggests }) => by !== 'balances' || !isRead(suggests === 'returned' ? leg.from : leg.to),
    )
    leg.evidence = [...kept, ...seen.map((trace) => claimEvidenceOf(trace, holdings, transition.now))]
  }
}

function openClaims({ state }: TreasuryTransition): readonly Leg[] {
  return Object.values(state.intents).flatMap(({ legs }) => legs.filter(({ stage }) => stage === 'claim'))
}

/** Returns both ends of the open legs: a reading there may precede or follow a movement. */
function touched({ state }: TreasuryTransition): ReadonlySet<TreasuryPlace> {
  const legs = activeIntents(state).flatMap((intent) => intent.legs)
  const open = legs.filter((leg) => leg.sentAt !== null && !isEnded(leg))
  const recent = legs.filter(({ endedAt }) => endedAt !== null)
  return new Set([...open, ...recent].flatMap(({ from, to }) => [from, to]))
}

/** Adds the takers' net flow since the last reading to the forecast's history and to the books. */
export function takeFlow(
  { state, now, emit }: TreasuryTransition,
  { flow, opened }: TreasuryEventOf<'flowSeen'>,
): void {
  state.flow = addFlow(state.flow, now, flow)
  const postings = bookFlow(state.books, flow, opened)
  if (postings.length > 0) emit({ type: 'booked', intent: '', reason: 'fills of the position', postings })
}

/** Handles an unreadable rail: no new intent moves its tokens until it can be read. */
export function takeRailFailure(transition: TreasuryTransition, event: TreasuryEventOf<'railFailed'>): void {
  const { state, now, alert } = transition
  const known = state.unreadable.find(({ rail }) => rail === event.rail)
  if (known === undefined) alert('treasury-rail-unreadable', `${event.rail} cannot be read: ${event.words}`)
  state.unreadable = [
    ...state.unreadable.filter((one) => one !== known),
    { rail: event.rail, words: event.words, since: known?.since ?? now },
  ]
}
