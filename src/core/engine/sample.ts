import { MINUTE_MS, type Ms } from '../../base/time.ts'
import { fairValue } from '../market/fair-value.ts'
import { position } from '../ledger/book/book.ts'
import { mapTerms, pnl } from '../ledger/book/pnl.ts'
import type { PnlSample } from './model/observation.ts'
import type { Transition } from './transition.ts'

/**
 * Takes a sample for charts at the first event of a minute; `before` is the core's time before it. It changes no state and
 * schedules nothing, so samples do not influence decisions. A minute without events has no sample.
 */
export function takeSample(transition: Transition, before: Ms): void {
  const { state, now, emit } = transition
  if (!transition.observes || Math.floor(now / MINUTE_MS) === Math.floor(before / MINUTE_MS)) return
  const { market, book, quoting, reconciliation } = state
  const confirmed = quoting.status === 'confirmed' ? quoting.confirmed : null
  emit({
    type: 'sample',
    t: now,
    mid: market.mid,
    fairValue: fairValue(market),
    bidBps: confirmed?.quoteBid === true ? confirmed.bidBps : null,
    askBps: confirmed?.quoteAsk === true ? confirmed.askBps : null,
    bestBidBps: market.competition.bid?.bps ?? null,
    bestAskBps: market.competition.ask?.bps ?? null,
    balances: reconciliation.opened ? position(book) : null,
    pnl: reconciliation.opened ? pnlSample(transition) : null,
  })
}

function pnlSample({ state }: Transition): PnlSample | null {
  const now = pnl(state.book)
  return now && { tzs: mapTerms((term) => now.tzs[term]), totalUsd: now.usd.total }
}
