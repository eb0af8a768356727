import { ASSETS } from '../../../src/base/money/asset.ts'
import type { LedgerEntry } from '../../../src/core/ledger/book/book.ts'
import { violated, type Invariant } from '../step.ts'

/** Every entry sums to zero per asset, entries are numbered without holes, and so do all accounts together. */
export function ledgerConserves(): Invariant {
  let numbers: { seq: number; entry: number }[] = []
  return {
    check({ seq, audit, state }) {
      let hasEntry = false
      for (const observation of audit.observations) {
        if (observation.type !== 'entryPosted') continue
        hasEntry = true
        sumsToZero(observation.entry)
        const before = numbers.at(-1)?.entry ?? 0
        if (observation.entry.number !== before + 1)
          violated(`entry ${observation.entry.number} follows ${before}`)
        numbers.push({ seq, entry: observation.entry.number })
      }
      if (!hasEntry) return
      if (numbers.length > 4_000) numbers = numbers.slice(-2_000)
      const accounts = Object.values(state.book.accounts)
      for (const asset of ASSETS) {
        let sum = 0n
        for (const account of accounts) sum += account[asset]
        if (sum !== 0n) violated(`all accounts together hold ${sum} of ${asset}, not zero`)
      }
    },
    rewind(seq) {
      numbers = numbers.filter((known) => known.seq <= seq)
    },
  }
}

function sumsToZero(entry: LedgerEntry): void {
  const sums: Record<string, bigint> = {}
  for (const { asset, amount } of entry.postings) sums[asset] = (sums[asset] ?? 0n) + amount
  for (const asset of ASSETS) {
    const sum = sums[asset] ?? 0n
    if (sum !== 0n) violated(`entry ${entry.number} (${entry.kind}) makes ${sum} of ${asset}`)
  }
}
