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

/** Number of mids and spreads to keep: a fill arrives within seconds, so older ones have not priced it. */
export const KEPT = 8

type Spread = { readonly bidBps: number; readonly askBps: number }

/** Returns the mids and quotes that may have priced fills. Without any, starts with the present ones. */
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
 * Records a mid that may price fills from now on. Only a core that sends its own polls keeps mids and spreads to check fills by: a
 * backtest derives its fills from our quote (see `checkFillPrice`).
 */
export function rememberMid({ state, polling }: Transition, mid: Rate): void {
  const { history, now } = state
  if (polling === 'engine') recordAdoptedMid(priceMemory(state), now, mid, state.config.risk.priceCorridor)
  if (history.mids[0] === mid) return
  pushFirst(history.mids, mid)
}

/** Records a mid of the public rate that may price fills of a pair while another mid is in force. */
export function rememberPairMid({ state, polling }: Transition, stable: RoutedStable): void {
  const { market, now, prices, config } = state
  const mid = otherMidOf(market, stable, quoteStableOf(config))
  if (polling !== 'engine' || (mid === null && prices?.pairs === undefined)) return
  recordPairMid(priceMemory(state), now, stable, mid, config.risk.priceCorridor)
}

/** Records a PATCH that is sent: the venue may price a fill from it before its answer arrives. */
export function rememberSent({ state, polling }: Transition, spread: Spread): void {
  if (polling === 'engine') {
    const memory = priceMemory(state)
    eachSide(spread, (side, bps) => recordSentQuote(memory, state.now, side, bps))
  }
  rememberSpread(state, spread)
}

/** Records a confirmed spread. It explains fills only if we requested it. */
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
 * Records one side of a read-back; the other side is unchanged. Before this process has set a quote, the previous process's quote
 * is live and may price fills.
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

/** Inserts the latest value first and drops the oldest, in place: a tenth of the cost of `unshift`. */
export function pushFirst<Value>(list: Value[], latest: Value): void {
  for (let i = Math.min(list.length, KEPT - 1); i > 0; i--) list[i] = list[i - 1]!
  list[0] = latest
}
