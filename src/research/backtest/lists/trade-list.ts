import type { Ms } from '../../../base/time.ts'
import { dollars18 } from '../../../core/ledger/book/value.ts'
import type { Amounts } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { MarkoutHorizons } from '../../../core/models/markouts/horizons.ts'
import type { Recorder } from '../recorder.ts'
import type { HeldDollars, Trade } from './trade.ts'
import { WaitingMarkouts } from './waiting-markouts.ts'

/** The trades of a run. Pass it to the run as a listener; it ends with the run. */
export type TradeList = Partial<Recorder> & {
  /** Trades emitted before all of their horizons had passed, because too many waited. */
  readonly cutShort: () => number
}

type Reasons = Pick<Trade, 'because' | 'bound'>

/**
 * Emits every fill in time order, once its markouts are known or the run has ended. Keeps only the fills within the
 * longest horizon.
 */
export function createTradeList(horizons: MarkoutHorizons, give: (trade: Trade) => void): TradeList {
  const waiting = new WaitingMarkouts(horizons, give)
  const held = { dollars18: 0n, shillings: 0n }
  const others: { bid: number | null; ask: number | null } = { bid: null, ask: null }
  let standing: Reasons = { because: [], bound: [] }
  let sent: (Reasons & { readonly request: number }) | null = null

  return {
    open(t: Ms, amounts: Readonly<Amounts>, _mid: Rate, fair: Rate) {
      held.dollars18 = dollars18(amounts)
      held.shillings = amounts.NTZS
      waiting.open(t, fair)
    },
    fill(fill) {
      const before = heldDollars(held, fill.fair)
      held.dollars18 += fill.dollars18
      held.shillings += fill.shillings
      const after = heldDollars(held, fill.fair)
      waiting.add({ ...fill, ...standing, bestOtherBps: others[fill.side], before, after })
    },
    mark: (t, _mid, fair, print) => waiting.mark(t, fair, print),
    restate: (t, _mid, fair) => waiting.restate(t, fair),
    decision({ request, because, bound }) {
      if (request !== null) sent = { request, because, bound }
    },
    quote(_t, _bid, _ask, request) {
      if (sent === null || sent.request !== request) return
      standing = { because: sent.because, bound: sent.bound }
      sent = null
    },
    competition(_t, side, bps) {
      others[side] = bps
    },
    end: (t) => waiting.end(t),
    cutShort: () => waiting.cutShort(),
  }
}

function heldDollars(
  held: { readonly dollars18: bigint; readonly shillings: bigint },
  fair: Rate,
): HeldDollars {
  const dollars = Number(held.dollars18) / 1e18
  const value = dollars + Number(held.shillings) / Number(fair)
  return { dollars18: held.dollars18, share: value > 0 ? dollars / value : 0 }
}
