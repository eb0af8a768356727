import { expect } from 'vitest'
import { ASSETS, formatTokens } from '../../../src/base/money/asset.ts'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import type { VenueFill } from '../../../src/simulator/sandbox/market/provider.ts'
import type { ExportRow } from '../../../src/store/export/kinds.ts'
import { openReader, type StoreReader } from '../../../src/store/open-reader.ts'
import type { StorePlace } from '../../../src/store/place.ts'
import { until } from './until.ts'

/** What a fill is in both books: who paid what, to the last unit. */
type FillLine = Readonly<Record<'id' | 'side' | 'in' | 'out' | 'fee', string>>

/**
 * The venue's book, the daemon's state and the export from its store agree: the same fills, each once, with the same amounts and fees, and the
 * same balances to the last unit. `since` = how many fills the venue had before our ledger opened.
 */
export async function expectEqualBooks(
  model: VenueModel,
  store: StorePlace,
  view: PositionView,
  since = 0,
): Promise<void> {
  const { ours } = model.book()
  const byId = (a: FillLine, b: FillLine) => (a.id < b.id ? -1 : 1)
  // The state is ahead of the disk by what is being written.
  await until('the store has what the state shows', () => lastSeqOf(store) >= view.lastSeq)
  const rows = exported(store)
  expect(rows.map(lineOfRow).toSorted(byId)).toEqual(
    ours.fills
      .slice(since)
      .map((fill) => lineOfFill(fill))
      .toSorted(byId),
  )
  const held = ASSETS.map((asset) => [asset, view.balances[asset] ?? '0'])
  const atVenue = ASSETS.map((asset) => [asset, formatTokens(ours.pool[asset] + ours.wallet[asset], asset)])
  expect(Object.fromEntries(held)).toEqual(Object.fromEntries(atVenue))
  expect(view.fills.total).toBe(ours.fills.length - since)
}

/** The number of the last event on disk. */
export function lastSeqOf(store: StorePlace): number {
  return read(store, (reader) => reader.lastSeq())
}

/** The rows of `mizani export --what fills`. */
export function exported(store: StorePlace): ExportRow[] {
  return read(store, (reader) => [...reader.rows('fills')])
}

function read<T>(store: StorePlace, take: (reader: StoreReader) => T): T {
  const reader = openReader(store)
  if (!reader.ok) throw new Error(reader.error.message)
  try {
    return take(reader.value)
  } finally {
    reader.value.close()
  }
}

function lineOfRow(row: ExportRow): FillLine {
  return {
    id: String(row['id']),
    side: String(row['side']),
    in: `${row['amountIn']} ${row['inAsset']}`,
    out: `${row['amountOut']} ${row['outAsset']}`,
    fee: String(row['fee']),
  }
}

function lineOfFill(fill: VenueFill): FillLine {
  return {
    id: fill.id,
    side: fill.side,
    in: `${formatTokens(fill.amountIn, fill.from)} ${fill.from}`,
    out: `${formatTokens(fill.amountOut, fill.to)} ${fill.to}`,
    fee: formatTokens(fill.fee, fill.to),
  }
}
