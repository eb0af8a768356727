import { nextProbedStable } from '../../market/pair-mids.ts'
import type { RoutedStable } from '../../../base/money/asset.ts'
import { RATE_ONE } from '../../../base/money/rate.ts'
import { nextPoll, nextDueAt } from '../../pacing/poll-schedule.ts'
import type { PollKind } from '../../pacing/state.ts'
import type { Effect } from '../model/effect.ts'
import { openRequest } from './requests.ts'
import type { Transition } from '../transition.ts'
import type { EngineState } from '../model/state.ts'
import type { Ms } from '../../../base/time.ts'

/** The public endpoint is probed with this many dollars, or their worth in shillings. */
const PROBE_USD = 100n

/** Sends every poll that is due and that the budget allows now. Returns when the next one is due. */
export function reconcilePolls(transition: Transition): Ms {
  const { state, now, send, polling } = transition
  if (polling !== 'engine') return Infinity
  const { pacing } = state.config
  for (;;) {
    const kind = nextPoll(state.pacing, pacing, now)
    if (kind === null) return nextDueAt(state.pacing, pacing, now)
    send(pollEffect(transition, kind, openRequest(transition, { what: kind, sentAt: now }, kind)))
  }
}

function pollEffect({ state }: Transition, kind: PollKind, id: number): Effect {
  switch (kind) {
    case 'account':
      return { type: 'readAccount', id }
    case 'rate':
      return { type: 'readRate', id }
    case 'balances':
      return { type: 'readBalances', id }
    case 'fills':
      return { type: 'readFills', id }
    case 'quoteBid':
      return { type: 'readQuote', id, side: 'bid' }
    case 'quoteAsk':
      return { type: 'readQuote', id, side: 'ask' }
    case 'publicAsk':
      return { type: 'readBestQuote', id, side: 'ask', probe: PROBE_USD * 10n ** 6n, ...probedPair(state) }
    case 'publicBid': {
      // Whole shillings: the probe is a size, not a price.
      const shillings = (PROBE_USD * (state.market.mid ?? 2_500n * RATE_ONE)) / RATE_ONE
      const probe = shillings * RATE_ONE
      return { type: 'readBestQuote', id, side: 'bid', probe, ...probedPair(state) }
    }
  }
}

/** An older journal names no pair. */
function probedPair({ market, config }: EngineState): { readonly stable?: RoutedStable } {
  const { publicRate } = config
  return publicRate === undefined ? {} : { stable: nextProbedStable(market, publicRate.quoteStable) }
}
