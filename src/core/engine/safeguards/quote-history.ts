import { otherMidOf } from '../../market/pair-mids.ts'
import type { RoutedStable } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import {
  createPriceMemory,
  eachSide,
  recordAdoptedMid,
  recordConfirmedQuote,
  recordPairMid,
  recordSentQuote,
  type PriceMemory,
} from '../../risk/fill-price.ts'
import { quoteStableOf } from '../model/config.ts'
import type { EngineState } from '../model/state.ts'
import type { Transition } from '../transition.ts'

/** A fill is seen within seconds; more than this many changes back it was not priced. */
const KEPT = 8

type Spread = { readonly bidBps: number; readonly askBps: number }

/** What fills may have been priced from; a snapshot that has none begins with what stands. */
export function priceMemory(state: EngineState): PriceMemory {
  if (state.prices !== undefined) return state.prices
  const memory = createPriceMemory()
  const { mid } = state.market
  const { confirmed } = state.quoting
  if (mid !== null) recordAdoptedMid(memory, state.now, mid, null)
  if (confirmed !== null)
    eachSide(confirmed, (side, bps) => recordConfirmedQuote(memory, state.now, side, bps))
  state.prices = memory
  return memory
}

/**
 * A mid that fills may be priced from, from now on. Only a core that makes its own polls keeps it to judge fills by: the
 * shell of a backtest makes its fills from our quote (`checkFillPrice`). So it is with the spreads below.
 */
export function rememberMid({ state, polling }: Transition, mid: Rate): void {
  const { history, now } = state
  if (polling === 'engine')
    recordAdoptedMid(priceMemory(state), now, mid, state.config.risk.priceCorridor ?? null)
  if (history.mids[0] === mid) return
  pushFirst(history.mids, mid)
}

/** A mid that the public rate names for a pair, while another one is in force, may have priced fills of that pair. */
export function rememberPairMid({ state, polling }: Transition, stable: RoutedStable): void {
  const { market, now, prices, config } = state
  const mid = otherMidOf(market, stable, quoteStableOf(config))
  if (polling !== 'engine' || (mid === null && prices?.pairs === undefined)) return
  recordPairMid(priceMemory(state), now, stable, mid, config.risk.priceCorridor ?? null)
}

/** A PATCH of ours goes out: the venue may price a fill from it before its answer reaches us. */
export function rememberSent({ state, polling }: Transition, spread: Spread): void {
  if (polling === 'engine') {
    const memory = priceMemory(state)
    eachSide(spread, (side, bps) => recordSentQuote(memory, state.now, side, bps))
  }
  rememberSpread(state, spread)
}

/**
 * The venue confirmed a spread. As a price that we agreed to it counts only where we asked for it: a venue that
 * holds another one explains no fill with it.
 */
export function rememberConfirmed(
  { state, polling }: Transition,
  spread: Spread,
  asked: Spread | null,
): void {
  const isAsAsked = asked === null || (asked.bidBps === spread.bidBps && asked.askBps === spread.askBps)
  if (polling === 'engine' && isAsAsked) {
    const memory = priceMemory(state)
    eachSide(spread, (side, bps) => recordConfirmedQuote(memory, state.now, side, bps))
  }
  rememberSpread(state, spread)
}

/**
 * One side of ours as it was read back; the other is as it was known before. It was agreed to where this process
 * has not set a quote yet: what stands then is what was left standing.
 */
export function rememberSide(state: EngineState, side: Side, bps: number): void {
  if ((state.quoting.confirmedAt ?? 0) < state.processStartedAt)
    recordSentQuote(priceMemory(state), state.now, side, bps)
  const last = state.history.spreads[0] ?? { bidBps: bps, askBps: bps }
  rememberSpread(state, side === 'bid' ? { ...last, bidBps: bps } : { ...last, askBps: bps })
}

function rememberSpread({ history }: EngineState, { bidBps, askBps }: Spread): void {
  if (history.spreads[0]?.bidBps === bidBps && history.spreads[0].askBps === askBps) return
  pushFirst(history.spreads, { bidBps, askBps })
}

/** Puts the latest one first and drops the oldest; in place, which costs a tenth of `unshift`. */
function pushFirst<Value>(list: Value[], latest: Value): void {
  for (let i = Math.min(list.length, KEPT - 1); i > 0; i--) list[i] = list[i - 1]!
  list[0] = latest
}
