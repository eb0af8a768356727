import type { PositionView } from '../../../view/position-view.ts'
import type { PositionRead, PositionUnavailable } from '../position.ts'
import { BOOKS_TONE, STATE_TONE } from './render.ts'
import { tableRow, type Piece, type RowOptions } from '../../output/tables.ts'
import { decimalText } from '../../../text/numbers.ts'

/** A position of a list; the name is that of its configuration, because the position may not be readable. */
export type ListedPosition = { readonly name: string; readonly seen: PositionRead | PositionUnavailable }

const MAX_WIDTH = 120

/** Several positions, numbered, a row or two each. An unknown value is named as such, never shown as 0. */
export function renderPositions(positions: readonly ListedPosition[], options: RowOptions): string[] {
  const row = { ...options, width: Math.min(MAX_WIDTH, options.width) }
  return positions.flatMap(({ name, seen }, index) =>
    tableRow(
      `${index + 1} ${name}`,
      'why' in seen ? [{ text: seen.why, tone: 'bad' }] : [...noteOf(seen), ...pieces(seen.view)],
      row,
    ),
  )
}

function noteOf({ note }: PositionRead): Piece[] {
  return note === null ? [] : [{ text: note, tone: 'warn' }]
}

function pieces({
  tradingState,
  missing,
  reasons,
  quote,
  rfq,
  inventory,
  pnl,
  fills,
  reconciliation,
}: PositionView) {
  const side = (bps: number | null, on: boolean | null) => (on === false ? 'off' : String(bps ?? 'unknown'))
  const spread = `bid ${side(quote.bidBps, quote.quoteBid)} ask ${side(quote.askBps, quote.quoteAsk)}`
  const share = inventory.usdShare === null ? 'unknown' : `${(inventory.usdShare * 100).toFixed(1)} %`
  const [reason] = reasons
  const all: Piece[] = [
    { text: tradingState, tone: STATE_TONE[tradingState] },
    ...(missing === null
      ? []
      : [{ text: `NOT IN THE MARKET: ${missing.why}`, tone: 'bad' } as const satisfies Piece]),
    rfq === null ? spread : `${rfq.orders.length} open orders`,
    `dollars ${share}`,
    pnl === null ? 'PnL unknown' : `PnL ${decimalText(pnl.tzs.total, 0, 'plus')} TZS`,
    `fills ${fills.total}`,
    { text: `books ${reconciliation.state}`, tone: BOOKS_TONE[reconciliation.state] },
  ]
  return reason === undefined ? all : [...all, { text: reason, tone: STATE_TONE[tradingState] }]
}

/** A position for machines: all that its view has and whether it runs, or why it cannot be seen. */
export function positionDocument({ name, seen }: ListedPosition): object {
  if ('why' in seen) return { name, error: seen.why, exitCode: seen.exitCode }
  const { view, note } = seen
  return { ...view, running: note === null, ...(note === null ? {} : { note }) }
}
