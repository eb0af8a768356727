import type { LedgerEntry } from '../../../core/ledger/book/book.ts'
import { type BookAmount, toBook, toTokens } from '../../../base/money/asset.ts'
import type { Observation } from '../../../core/engine/model/observation.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from '../../../treasury/model/place.ts'

type Flow = Readonly<Record<TreasuryAsset, bigint>>

/** The net flow from takers, computed from the position's own events. */
export type FlowMeter = {
  /** Records every event of the position, including replayed ones. */
  readonly record: (seq: number, observations: readonly Observation[]) => void
  /** Returns the net flow since the last call, and the last event that it includes; null = no flow. */
  readonly take: () => { readonly flow: Flow; readonly opened?: Flow; readonly upTo: number } | null
}

const HELD: readonly string[] = ['pool', 'wallet']

/**
 * Sums the position's fills that are not in the treasury's books yet. `after` is the last event of the position that is
 * in the books; replayed events up to it are ignored.
 */
export function createFlowMeter(after: number): FlowMeter {
  /** In units of the ledger, which are finer than those of the token. */
  const sums = nothing()
  /** The opening balances of tokens that entered the ledger later than the others. */
  const late = nothing()
  let upTo = after
  return {
    record(seq, observations) {
      if (seq <= after) return
      for (const observation of observations) {
        if (observation.type !== 'entryPosted') continue
        const { entry } = observation
        if (entry.kind !== 'fill' && entry.kind !== 'opening') continue
        addEntry(entry.kind === 'fill' ? sums : late, entry)
        upTo = seq
      }
    },
    take() {
      const [flow, opened] = [nothing(), nothing()]
      for (const asset of TREASURY_ASSETS) {
        flow[asset] = takeTokens(sums, asset)
        opened[asset] = takeTokens(late, asset)
      }
      const isOpening = !isNothing(opened)
      return isNothing(flow) && !isOpening ? null : { flow, ...(isOpening && { opened }), upTo }
    },
  }
}

function addEntry(sums: Record<TreasuryAsset, bigint>, { postings }: LedgerEntry): void {
  for (const { account, asset, amount } of postings) {
    if (HELD.includes(account) && asset !== 'USDT.bnb') sums[asset] += amount
  }
}

/** Takes whole units of the token, rounded down like the holdings; the rest stays for the next call. */
function takeTokens(sums: Record<TreasuryAsset, BookAmount>, asset: TreasuryAsset): bigint {
  const sum = sums[asset]
  const cut = toTokens(sum, asset)
  const tokens = toBook(cut, asset) > sum ? cut - 1n : cut
  sums[asset] = sum - toBook(tokens, asset)
  return tokens
}

function isNothing(flow: Flow): boolean {
  return TREASURY_ASSETS.every((asset) => flow[asset] === 0n)
}

function nothing(): Record<TreasuryAsset, bigint> {
  return { NTZS: 0n, USDC: 0n, USDT: 0n }
}
