import type { ExportRow } from '../../../store/export/kinds.ts'
import type { StoreReader } from '../../../store/open-reader.ts'
import type { CloseOrder } from './document.ts'

/**
 * Returns the signed orders outstanding after a day: those of the previous close, or all in the store, updated by the
 * day's events. An order stays until its end is proven.
 */
export function openOrdersAfter(
  reader: Pick<StoreReader, 'rows'>,
  before: readonly CloseOrder[] | null,
  { first, last }: { readonly first: number; readonly last: number },
): readonly CloseOrder[] {
  const open = new Map((before ?? []).map((order) => [order.salt, order]))
  for (const row of reader.rows('orders', before === null ? 0 : first)) {
    if (Number(row['seq']) > last) break
    follow(open, row)
  }
  return [...open.values()]
}

function follow(open: Map<string, CloseOrder>, row: ExportRow): void {
  const salt = String(row['salt'])
  const order = open.get(salt)
  switch (String(row['event'])) {
    case 'orderReserved':
      open.set(salt, {
        salt,
        side: String(row['side']),
        stable: String(row['stable']),
        usd: String(row['usd']),
        priceTzs: String(row['priceTzs']),
        reservedAt: String(row['at']),
        expiresAt: String(row['expiresAt']),
        hash: null,
      })
      return
    case 'orderPlaced':
      if (order !== undefined) open.set(salt, { ...order, hash: String(row['hash']) })
      return
    case 'orderWithheld':
    case 'orderResolved':
      open.delete(salt)
      return
    case 'orderRejected':
      // An order that may have been signed stays outstanding.
      if (String(row['how']).endsWith(', void')) open.delete(salt)
      return
    default:
      return
  }
}
