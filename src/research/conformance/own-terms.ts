import type { Ms } from '../../base/time.ts'
import type { BestQuoteEvent, Event } from '../../core/engine/model/event.ts'
import { type Amounts, toBook } from '../../base/money/asset.ts'
import { RATE_ONE, type Rate } from '../../base/money/rate.ts'
import type { Side } from '../../base/money/side.ts'
import type { StandingTerms } from './fill-evidence.ts'
import type { ProbedQuote } from './rotation-evidence.ts'

/** A fill is reported after the mid or the quote may have changed once or twice. */
const MOST_MIDS = 6
const MOST_SPREADS = 6

type Standing = { readonly bps: number | null; readonly since: Ms }

/** Tracks our live quote at the venue from its answers. */
export function createOwnTerms() {
  let mids: readonly Rate[] = []
  let spreads: StandingTerms['spreads'] = []
  const standing: Record<Side, Standing | null> = { bid: null, ask: null }
  let isActive: boolean | null = null
  let amounts: Partial<Amounts> = {}

  /** A quote may predate the journal; a read-back shows it too. */
  function readBack(side: Side, bps: number, t: Ms): void {
    const known = spreads[0] ?? { bidBps: null, askBps: null }
    const name = side === 'bid' ? 'bidBps' : 'askBps'
    if (known[name] !== bps) spreads = [{ ...known, [name]: bps }, ...spreads].slice(0, MOST_SPREADS)
    const stands = standing[side]
    // A side that we took off is not quoted, whatever its spread.
    if (stands === null || (stands.bps !== null && stands.bps !== bps)) standing[side] = { bps, since: t }
  }

  return {
    add(event: Event): void {
      if ((event.type === 'rate' || event.type === 'bestQuote') && event.mid !== null)
        mids = first(event.mid, mids, MOST_MIDS)
      if (event.type === 'account' || event.type === 'activation') ({ isActive } = event)
      if (event.type === 'balances') ({ amounts } = event)
      if (event.type === 'quoteRead') readBack(event.side, event.spreadBps, event.t)
      if (event.type !== 'quoteSet') return
      const { bidBps, askBps, quoteBid, quoteAsk } = event.spread
      spreads = [{ bidBps, askBps }, ...spreads].slice(0, MOST_SPREADS)
      standing.bid = { bps: quoteBid !== false ? bidBps : null, since: event.t }
      standing.ask = { bps: quoteAsk !== false ? askBps : null, since: event.t }
    },
    /** Recent mids and quotes from which the venue may have priced a fill. */
    terms: (): StandingTerms => ({ mids, spreads }),
    /** Returns our quote on the probe's side, and whether it could fill the probe. */
    quoteFor(event: BestQuoteEvent): ProbedQuote {
      const ours = standing[event.side]
      return {
        bps: ours?.bps ?? null,
        standsForMs: ours === null ? 0 : event.t - ours.since,
        canFill: isActive === true && covers(amounts, event),
      }
    },
  }
}

/** Returns whether our tokens cover the probe before spread and fee, which reduce the payout. */
function covers(amounts: Partial<Amounts>, { side, probe, mid }: BestQuoteEvent): boolean {
  if (mid === null || mid === 0n) return false
  const needed = side === 'ask' ? (toBook(probe, 'USDC') * mid) / RATE_ONE : (probe * RATE_ONE) / mid
  return ((side === 'ask' ? amounts.NTZS : amounts.USDC) ?? 0n) >= needed
}

function first<Value>(value: Value, before: readonly Value[], most: number): readonly Value[] {
  return before[0] === value ? before : [value, ...before.filter((one) => one !== value)].slice(0, most)
}
