import type { LedgerEntry } from '../../ledger/book/book.ts'
import type { Observation } from '../../engine/model/observation.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from '../../treasury/model/place.ts'

export type Flow = Readonly<Record<TreasuryAsset, bigint>>

/** What takers brought to the position and took from it, from its own events. */
export type FlowMeter = {
  /** Hears of every event of the position, those of a replay included. */
  readonly record: (seq: number, observations: readonly Observation[]) => void
  /** Net flow of the events since the last time, and up to which event; null = there was none. */
  readonly take: () => { readonly flow: Flow; readonly upTo: number } | null
}

const HELD: readonly string[] = ['pool', 'wallet']

/**
 * Sums the fills of the position that the treasury does not know yet. `after` is the last event of the position that it
 * knows: what is replayed of earlier ones is in its books already.
 */
export function createFlowMeter(after: number): FlowMeter {
  let sums = nothing()
  let upTo = after
  return {
    record(seq, observations) {
      if (seq <= after) return
      for (const observation of observations) {
        if (observation.type !== 'entryPosted' || observation.entry.kind !== 'fill') continue
        addEntry(sums, observation.entry)
        upTo = seq
      }
    },
    take() {
      if (TREASURY_ASSETS.every((asset) => sums[asset] === 0n)) return null
      const taken = { flow: sums, upTo }
      sums = nothing()
      return taken
    },
  }
}

function addEntry(sums: Record<TreasuryAsset, bigint>, { postings }: LedgerEntry): void {
  for (const { account, asset, amount } of postings) {
    if (HELD.includes(account) && asset !== 'USDT.bnb') sums[asset] += amount
  }
}

function nothing(): Record<TreasuryAsset, bigint> {
  return { NTZS: 0n, USDC: 0n, USDT: 0n }
}
