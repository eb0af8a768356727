import type { Side } from '../../../base/money/side.ts'
import type { QuotingState } from '../../quoting/quote-state.ts'
import { isLive } from '../../rfq/open-order.ts'
import { knownActive, whyActiveUnknown } from '../activation/leaving.ts'
import type { EngineState, RefusedWrite } from '../model/state.ts'
import { stopSince } from '../requests/on-failure.ts'

/** The quote that takers see, as far as the venue's answers show it. */
type LiveQuote = {
  /** True if takers can no longer trade at a quote of the strategy; null = unknown. */
  readonly stopped: boolean | null
  /** The spreads last seen; null = the side is closed, or not seen yet. */
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly status: QuotingState['status']
  readonly isActive: boolean | null
  /** Signed orders that can still be filled; null = capital is pooled. */
  readonly openOrders: number | null
  /** Why an inactive account does not prove that the position is out; null = it does, or the account is active. */
  readonly whyNotOut: string | null
  /** The commands that bring an inactive position back into the market; null = it returns without a command. */
  readonly wayBack: string | null
  /** The last write that a stop needs and the venue did not confirm; null = it was confirmed. */
  readonly refusal: RefusedWrite | null
}

/** Returns the live quote. Stopped = out of the market, or each side closed or at `quote.safeBps` or wider. */
export function liveQuote(state: EngineState): LiveQuote {
  const { quoting, activation, config, rfq, refusedWrite } = state
  const since = stopSince(state)
  const isOlder = since !== null && refusedWrite !== null && refusedWrite.at < since
  const openOrders = config.rfq === null ? null : Object.values(rfq.openOrders).filter(isLive).length
  const [bid, ask] = [sideSeen(state, 'bid'), sideSeen(state, 'ask')]
  const isSafe = [bid, ask].map((seen) => isSafeSide(seen, config.quote.safeBps))
  const isQuoteSafe = isSafe.includes(false) ? false : isSafe.includes(null) ? null : true
  const isInactive = activation.isActive === false
  const isLeaving = activation.leaving ? 'the deactivation has not ended' : null
  const whyNotOut = isInactive ? (whyActiveUnknown(state) ?? isLeaving) : null
  const isOut = isInactive && (whyNotOut === null || isQuoteSafe === true ? true : null)
  return {
    stopped: openOrders === null ? (isInactive ? isOut : isQuoteSafe) : openOrders === 0,
    bidBps: bid.bps,
    askBps: ask.bps,
    status: quoting.status,
    isActive: knownActive(state),
    openOrders,
    whyNotOut,
    wayBack: wayBack(state),
    refusal: isOlder ? null : refusedWrite,
  }
}

function wayBack({ activation, config, latch, exiting }: EngineState): string | null {
  const isOrdered =
    activation.wanted === false || (activation.wanted === null && config.activation === 'manual')
  if (!isOrdered || exiting || config.mode === 'dry-run') return null
  return latch.halted === null ? '`mizani activate`' : '`mizani resume` and `mizani activate`'
}

/** `isCurrent`: no later request can have changed it. */
type SeenSide = { readonly bps: number | null; readonly isClosed: boolean; readonly isCurrent: boolean }

/** A read-back after the last confirmation takes precedence over it. */
function sideSeen({ quoting }: EngineState, side: Side): SeenSide {
  const { confirmed, status, inFlight } = quoting
  const held = confirmed === null ? null : side === 'bid' ? confirmed.bidBps : confirmed.askBps
  const read = quoting.readSince?.[side] ?? null
  const isOn = side === 'bid' ? confirmed?.quoteBid : confirmed?.quoteAsk
  const isClosed = isOn === false && (read === null || read === held)
  return {
    bps: isClosed ? null : (read ?? held),
    isClosed,
    isCurrent: inFlight === null && (status !== 'unknown' || read !== null),
  }
}

function isSafeSide({ bps, isClosed, isCurrent }: SeenSide, safeBps: number): boolean | null {
  if (!isCurrent) return null
  return isClosed || (bps === null ? null : bps >= safeBps)
}

/** The last seen quote as `67/53`, with `off` for a closed side; null = none was seen yet. */
function spreadText({ bidBps, askBps }: LiveQuote): string | null {
  return bidBps === null && askBps === null ? null : `${bidBps ?? 'off'}/${askBps ?? 'off'}`
}

/** Returns a clause about what takers can trade at. */
export function liveText(live: LiveQuote): string {
  const { stopped, isActive, openOrders, whyNotOut, wayBack: back } = live
  if (openOrders !== null)
    return openOrders === 0 ? 'no order is outstanding' : `${openOrders} signed orders can still be filled`
  if (isActive === false && whyNotOut === null)
    return `the position is inactive${back === null ? '' : ` until ${back}`}`
  const seen = spreadText(live)
  if (stopped === true) return seen === null ? 'both sides are off' : `${seen} bps is live`
  if (stopped === false) return `${seen} bps is still live`
  const last = seen === null ? '' : `, and ${seen} bps was seen last`
  if (whyNotOut !== null)
    return `it is unknown whether the position is out: the account shows it as inactive, but ${whyNotOut}${last}`
  return `the live quote is unknown${last}`
}

/** `HALTED - STILL QUOTED 67/53` while a stop is in force and the venue was not seen to have stopped; null = neither. */
export function stopBanner({ latch }: EngineState, live: LiveQuote): string | null {
  const stop = latch.halted !== null ? 'HALTED' : latch.paused !== null ? 'PAUSED' : null
  if (stop === null || live.stopped === true) return null
  if (live.openOrders !== null) return `${stop} - ${live.openOrders} ORDERS STILL OPEN`
  const seen = spreadText(live)
  if (live.stopped === false) return `${stop} - STILL QUOTED ${seen}`
  return `${stop} - QUOTE UNKNOWN${seen === null ? '' : `, LAST SEEN ${seen}`}`
}
