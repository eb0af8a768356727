import type { OrderObservation } from '../../core/engine/model/observation.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { formatRate } from '../../base/money/rate.ts'
import type { Row } from '../connection/connection.ts'
import type { ExportRow } from './kinds.ts'
import { readObservation } from '../../core/engine/upcast/written.ts'

const USD_DECIMALS = 18

/** Everything that a step of an order may contain; null if that step has no such field. */
const COLUMNS = [
  'at',
  'event',
  'salt',
  'side',
  'stable',
  'usd',
  'priceTzs',
  'expiresAt',
  'hash',
  'txHash',
  'block',
  'makerToken',
  'makerAmount',
  'takerToken',
  'takerAmount',
  'how',
  'code',
  'why',
  'seq',
] as const
type Cells = Partial<Record<(typeof COLUMNS)[number], string>>

const TYPES = [
  'orderReserved',
  'orderWithheld',
  'orderPlaced',
  'orderRejected',
  'orderFilled',
  'orderFillUndone',
  'orderResolved',
  'cancelSent',
] as const satisfies readonly OrderObservation['type'][]

/**
 * Signed orders, one row per step, from the decision to the end. Fill amounts are in base units of the token in the
 * next column, because the store has only the token addresses.
 */
export const EXPORT_ORDERS = {
  columns: COLUMNS,
  page: `SELECT *, 0 AS p FROM notices WHERE (seq, n, 0) > (?, ?, ?)
    AND type IN (${TYPES.map((type) => `'${type}'`).join(', ')}) ORDER BY seq, n LIMIT ?`,
  rowsOf(row: Row): readonly ExportRow[] {
    const observation = readObservation(String(row['body'])) as OrderObservation
    const cells = { at: isoText(observation.t), event: observation.type, ...cellsOf(observation) }
    const all = COLUMNS.map((column) => [column, (cells as Cells)[column] ?? null])
    return [{ ...(Object.fromEntries(all) as Record<string, string | null>), seq: Number(row['seq']) }]
  },
}

function cellsOf(observation: OrderObservation): Cells {
  switch (observation.type) {
    case 'orderReserved': {
      const { salt, side, stable, usd, priceTzs, expiry } = observation
      const money = { usd: formatDecimalText(usd, USD_DECIMALS), priceTzs: formatRate(priceTzs) }
      return { salt: String(salt), side, stable, ...money, expiresAt: isoText(expiry) }
    }
    case 'orderWithheld':
      return { salt: String(observation.salt), why: observation.why }
    case 'orderPlaced':
      return { salt: String(observation.salt), hash: observation.hash }
    case 'orderRejected': {
      const { salt, stage, code, isVoid, message } = observation
      return { salt: String(salt), how: isVoid ? `${stage}, void` : stage, code, why: message }
    }
    case 'orderFilled':
      return { ...fillCells(observation.fill), how: observation.isWhole ? 'whole' : 'part' }
    case 'orderFillUndone':
      return fillCells(observation.fill)
    case 'orderResolved':
      return { salt: String(observation.salt), how: observation.how }
    case 'cancelSent': {
      const { salts, how, txHash, why } = observation
      return { salt: salts.join(' '), how, why, ...(txHash === null ? {} : { txHash }) }
    }
  }
}

function fillCells(fill: Extract<OrderObservation, { type: 'orderFilled' }>['fill']): Cells {
  const { salt, orderHash, block, txHash, makerToken, takerToken, makerAmount, takerAmount } = fill
  return {
    ...(salt === null ? {} : { salt: String(salt) }),
    hash: orderHash,
    txHash,
    block: String(block),
    makerToken,
    makerAmount: String(makerAmount),
    takerToken,
    takerAmount: String(takerAmount),
  }
}

function isoText(t: number): string {
  return new Date(t).toISOString()
}
