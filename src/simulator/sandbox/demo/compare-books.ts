import { getOnce } from '../../../base/http/client.ts'
import type { PositionView } from '../../../daemon/view/position-view.ts'
import type { AmountTexts } from '../../../daemon/view/fields.ts'
import { ASSETS } from '../../../base/money/asset.ts'

/** The part of GET /sandbox/state that is compared. */
type VenueBook = {
  readonly fills: readonly unknown[]
  /** Fills of signed orders, as shown by the chain. */
  readonly orderFills: readonly unknown[]
  readonly pool: AmountTexts
  readonly wallet: AmountTexts
}

/** Time limit for finding both accounts in the same state, because fills continue meanwhile. */
const TIMEOUT_MS = 4_000
const RETRY_MS = 250

type Comparison = { readonly view: PositionView | null; readonly books: string }

/** Compares both accounts until they agree, or returns how they differ. */
export async function compareBooks(
  venueUrl: string,
  look: () => Promise<PositionView | null>,
): Promise<Comparison> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const theirs = await venueBook(venueUrl)
    const view = await look()
    if (view === null || theirs === null) {
      return {
        view,
        books: `${view?.reconciliation.state ?? 'unknown'}; the venue or the daemon does not answer`,
      }
    }
    if (sameBook(theirs, view)) {
      const same = `the venue has the same ${countOf(theirs)} fills and the same balances`
      return { view, books: `${same}, to the last unit` }
    }
    if (Date.now() > deadline) {
      const [count, ours] = [countOf(theirs), view.fills.total]
      const differs =
        count === ours
          ? `the venue has the same ${count} fills and other balances: what it has moved since the last reading is`
          : `the venue counts ${count} fills, we ${ours}: fills that were not read yet are`
      return { view, books: `${view.reconciliation.state}; ${differs} booked at the next start` }
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

function countOf({ fills, orderFills }: VenueBook): number {
  return fills.length + orderFills.length
}

function sameBook(theirs: VenueBook, view: PositionView): boolean {
  const { pool, wallet } = theirs
  const same = (ours: AmountTexts, other: AmountTexts) =>
    ASSETS.every((asset) => (ours[asset] ?? '0') === (other[asset] ?? '0'))
  return countOf(theirs) === view.fills.total && same(view.pool, pool) && same(view.wallet, wallet)
}

/** Larger than all fills of a long demonstration. */
const MOST_BYTES = 256 * 1_024 * 1_024

/** Returns our account in the simulated venue's books, independent of the daemon. */
async function venueBook(venueUrl: string): Promise<VenueBook | null> {
  const answer = await getOnce(`${venueUrl}/sandbox/state`, { timeoutMs: 2_000, maxBytes: MOST_BYTES })
  if (!answer.ok) return null
  try {
    return (JSON.parse(answer.value.text) as { book: { ours: VenueBook } }).book.ours
  } catch {
    // The answering process is not a simulated venue.
    return null
  }
}
