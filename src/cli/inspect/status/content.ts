import { RECONCILIATION_TONE, renderStatus, STATE_TONE } from './render.ts'
import type { ScreenContent } from '../../output/screen.ts'
import type { PositionRead, PositionUnavailable } from '../position.ts'
import { type Piece, type RowOptions, tableRow } from '../../output/tables.ts'
import { outOfMarketText } from './sections.ts'
import { stateWord } from '../../../daemon/view/position-text.ts'
import { Decimal } from 'decimal.js'
import type { PositionView } from '../../../daemon/view/position-view.ts'
import { decimalText } from '../../../base/text/numbers.ts'

/** Returns one position in full, with the warnings above it. */
export function statusContent(seen: PositionRead | PositionUnavailable): ScreenContent {
  if ('why' in seen) return noteContent(seen.why)
  const { view } = seen
  const above = linesAbove(seen)
  return {
    lines: (look) => [
      ...above.flatMap((text) => tableRow('', [{ text, tone: 'warn' }], look)),
      ...renderStatus(view, look, seen.note === null),
    ],
    line: () => [...above, statusLine(view)].join(' | '),
  }
}

/** Returns the warnings above the figures: that they come from the store, and that no daemon is watching. */
export function linesAbove({ note, unwatched = [] }: PositionRead): readonly string[] {
  return note === null ? unwatched : [note, ...unwatched]
}

/** Renders several positions as a list. */
export function positionsContent(positions: readonly ListedPosition[]): ScreenContent {
  return {
    lines: (look) => renderPositions(positions, look),
    line: () =>
      positions
        .map(({ name, seen }) => `${name} | ${'why' in seen ? seen.why : statusContent(seen).line()}`)
        .join('\n'),
  }
}

/** Returns a sentence in place of a position. */
export function noteContent(text: string): ScreenContent {
  return { lines: (look) => tableRow('', [text], look), line: () => text }
}

/** Renders the state in one line, for logs and pipes. */
export function statusLine(view: PositionView): string {
  const { quote, fills, pnl, inventory, reconciliation, rfq } = view
  const side = (bps: number | null, on: boolean | null) => (on === false ? 'off' : `${bps ?? '?'}`)
  const spread = `bid ${side(quote.bidBps, quote.quoteBid)} ask ${side(quote.askBps, quote.quoteAsk)} bps (${quote.status})`
  const standing =
    rfq === null ? spread : `orders ${rfq.orders.length}${rfq.blocked === null ? '' : ' (blocked)'}`
  const share = inventory.usdShare === null ? 'unknown' : `${(inventory.usdShare * 100).toFixed(1)} %`
  const out = outOfMarketText(view)
  const total = pnl === null ? 'not valued' : `${new Decimal(pnl.tzs.total).toFixed(0)} TZS`
  return [
    new Date(view.now).toISOString(),
    stateWord(view),
    ...(out === null ? [] : [out]),
    standing,
    `mid ${view.mid ?? 'unknown'}`,
    `dollars ${share}`,
    `fills ${fills.total}`,
    `PnL ${total}`,
    `ledger ${reconciliation.state}`,
  ].join(' | ')
}

/** A position of a list; the name comes from its configuration, because the position may be unreadable. */
export type ListedPosition = { readonly name: string; readonly seen: PositionRead | PositionUnavailable }

const MAX_WIDTH = 120

/** Renders several positions, numbered, in one or two rows each. An unknown value is shown as unknown, never as 0. */
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

function pieces(view: PositionView) {
  const { tradingState, reasons, quote, rfq, inventory, pnl, fills, reconciliation } = view
  const out = outOfMarketText(view)
  const side = (bps: number | null, on: boolean | null) => (on === false ? 'off' : String(bps ?? 'unknown'))
  const spread = `bid ${side(quote.bidBps, quote.quoteBid)} ask ${side(quote.askBps, quote.quoteAsk)}`
  const share = inventory.usdShare === null ? 'unknown' : `${(inventory.usdShare * 100).toFixed(1)} %`
  const [reason] = reasons
  const all: Piece[] = [
    { text: stateWord(view), tone: STATE_TONE[tradingState] },
    ...(out === null ? [] : [{ text: out, tone: 'bad' } as const satisfies Piece]),
    rfq === null ? spread : `${rfq.orders.length} open orders`,
    `dollars ${share}`,
    pnl === null ? 'PnL unknown' : `PnL ${decimalText(pnl.tzs.total, 0, 'plus')} TZS`,
    `fills ${fills.total}`,
    { text: `ledger ${reconciliation.state}`, tone: RECONCILIATION_TONE[reconciliation.state] },
  ]
  return reason === undefined ? all : [...all, { text: reason, tone: STATE_TONE[tradingState] }]
}

/** Returns a position for machines: its whole view and whether it runs, or why it is unreadable. */
export function positionDocument({ name, seen }: ListedPosition): object {
  if ('why' in seen) return { name, error: seen.why, exitCode: seen.exitCode }
  const { view, note, unwatched } = seen
  return { ...view, running: note === null, ...(note === null ? {} : { note, unwatched: unwatched ?? [] }) }
}
