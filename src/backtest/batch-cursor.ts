import type { Ms } from '../base/time.ts'
import type { TapeBatch } from '../tape/tape-batch.ts'
import type { BalancesRow, FillRow, QuoteRow, ReferenceRow } from '../tape/tape-row.ts'

/** What a backtest does with the rows of a tape that bring news. */
export type RowHandler = {
  /** Agenda up to, not including, the moment of the next row. */
  readonly before: (t: Ms) => void
  readonly rate: (t: Ms, batch: TapeBatch, index: number) => void
  readonly reference: (row: ReferenceRow) => void
  readonly competition: (t: Ms, batch: TapeBatch, index: number) => void
  /** False: no further balances are wanted, they are passed over from then on. */
  readonly balances: (row: BalancesRow) => boolean
  readonly quote: (row: QuoteRow) => void
  readonly fill: (row: FillRow) => void
}

/**
 * Walks through batches in the tape's order and hands on only what differs from what was there before: an
 * unchanged rate or competition row costs a comparison. One walker for all batches of a tape.
 */
export function createBatchWalker(handler: RowHandler): (batch: TapeBatch) => void {
  let mid = -1n
  let updatedAt = Number.NaN
  let quotable = -2
  let wantsBalances = true
  let reached: Ms = Number.NEGATIVE_INFINITY
  const seen = new Map<string, { bid: number; ask: number }>()

  return (batch) => {
    const { rates, competition, references, balances, quotes, fills } = batch
    const last = competition.probes.map((probe) => lastOf(seen, probe))
    let rateIndex = -1
    let [rate, reference, rival, balance, quote, fill] = [0, 0, 0, 0, 0, 0]

    /** First row from `from` on that brings news; the length where there is none. */
    const nextRate = (from: number): number => {
      let index = from
      const { length, mid: mids, rateUpdatedAt, quotable: flags } = rates
      for (; index < length; index++) {
        const sameDate = Object.is(rateUpdatedAt[index], updatedAt)
        if (mids[index] === rateIndex && sameDate && flags[index] === quotable) continue
        if (sameDate && flags[index] === quotable && rates.mids[mids[index]!] === mid) {
          rateIndex = mids[index]!
          continue
        }
        break
      }
      return index
    }
    // Whether the best is somebody else depends on our quote at that moment: after a quote all of it is news.
    const nextRival = (from: number): number => {
      let index = from
      const { length, t, probe, bidBps, askBps } = competition
      const until = quotes[quote]?.t ?? Infinity
      for (; index < length; index++) {
        const before = last[probe[index]!]!
        if (bidBps[index] !== before.bid || askBps[index] !== before.ask || t[index]! > until) break
      }
      return index
    }

    rate = nextRate(0)
    rival = nextRival(0)
    for (;;) {
      const rateAt = rate < rates.length ? rates.t[rate]! : Infinity
      const referenceAt = references[reference]?.t ?? Infinity
      const rivalAt = rival < competition.length ? competition.t[rival]! : Infinity
      const balancesAt = wantsBalances ? (balances[balance]?.t ?? Infinity) : Infinity
      const quoteAt = quotes[quote]?.t ?? Infinity
      const fillAt = fills[fill]?.t ?? Infinity
      const t = Math.min(rateAt, referenceAt, rivalAt, balancesAt, quoteAt, fillAt)
      if (t === Infinity) break
      reached = t
      handler.before(t)
      // In the tape's order of rows of equal time (ROW_KINDS).
      if (rateAt === t) {
        rateIndex = rates.mid[rate]!
        mid = rates.mids[rateIndex] ?? -1n
        updatedAt = rates.rateUpdatedAt[rate]!
        quotable = rates.quotable[rate]!
        handler.rate(t, batch, rate)
        rate = nextRate(rate + 1)
      } else if (referenceAt === t) handler.reference(references[reference++]!)
      else if (rivalAt === t) {
        const before = last[competition.probe[rival]!]!
        before.bid = competition.bidBps[rival]!
        before.ask = competition.askBps[rival]!
        handler.competition(t, batch, rival)
        rival = nextRival(rival + 1)
      } else if (balancesAt === t) wantsBalances = handler.balances(balances[balance++]!)
      else if (quoteAt === t) {
        handler.quote(quotes[quote++]!)
        for (const before of seen.values()) before.bid = before.ask = -2
        rival = nextRival(rival)
      } else handler.fill(fills[fill++]!)
    }
    // Time passes also where the last rows bring no news.
    const end = lastQuietRow(batch)
    if (end > reached) {
      reached = end
      handler.before(end)
    }
  }
}

/** The time of the last row of the kinds that are passed over where they bring no news. */
function lastQuietRow({ rates, competition, balances }: TapeBatch): Ms {
  const [rateAt, rivalAt] = [rates.t[rates.length - 1], competition.t[competition.length - 1]]
  const none = Number.NEGATIVE_INFINITY
  return Math.max(rateAt ?? none, rivalAt ?? none, balances.at(-1)?.t ?? none)
}

function lastOf(
  seen: Map<string, { bid: number; ask: number }>,
  { from, to, amount }: TapeBatch['competition']['probes'][number],
): { bid: number; ask: number } {
  const key = `${from} ${to} ${amount}`
  let last = seen.get(key)
  if (last === undefined) {
    last = { bid: -2, ask: -2 }
    seen.set(key, last)
  }
  return last
}
