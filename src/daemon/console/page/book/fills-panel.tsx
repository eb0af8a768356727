import type { FillAnswerRow } from '../../answers.ts'
import type { PositionView } from '../../../view/position-view.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { Panel } from '../panel.tsx'
import { shownDecimal, numberText, shownTime, toneOf } from '../text.ts'
import { usePages } from './use-pages.ts'

const PAGE_ROWS = 25

type Props = { readonly position: string; readonly view: PositionView }

/** The fills, newest first, with edge and markouts. */
export function FillsPanel({ position, view }: Props) {
  const { total } = view.fills
  // Markouts become known later, so the rows are requested again every minute.
  const version = `${total} ${Math.floor(view.now / 60_000)}`
  const pages = usePages<FillAnswerRow>('fills', { position, limit: PAGE_ROWS }, version)
  return (
    <Panel id="fills" class="fills" title="Fills" unit={`${numberText(total, 0)} since the start`}>
      {pages.problem !== null && <p class="bad">{pages.problem}</p>}
      {pages.rows.length === 0 ? (
        <p class="note">{total === 0 ? 'None yet.' : 'Loading.'}</p>
      ) : (
        <DataTable label="Fills" columns={columns(view.now)} rows={pages.rows} keyOf={({ id }) => id}>
          {pages.next !== null && (
            <button type="button" class="plain" disabled={pages.loading} onClick={pages.older}>
              Older fills
            </button>
          )}
        </DataTable>
      )}
    </Panel>
  )
}

function columns(now: number): readonly Column<FillAnswerRow>[] {
  return [
    { title: 'Time, UTC', cell: ({ at }) => shownTime(at, now) },
    { title: 'Side', cell: ({ side }) => side, tone: ({ side }) => `side ${side}` },
    amount('In', ({ amountIn, inAsset }) => [amountIn, inAsset]),
    amount('Out', ({ amountOut, outAsset }) => [amountOut, outAsset]),
    {
      ...bps('Edge, bps', ({ edgeBps }) => edgeBps),
      hint: ({ formula }) => (formula === 'unexplained' ? 'no formula explains this payout' : formula),
    },
    bps('5 min', ({ markoutBps }) => markoutBps.m5),
    bps('1 h', ({ markoutBps }) => markoutBps.h1),
    bps('1 d', ({ markoutBps }) => markoutBps.d1),
    {
      title: 'Id',
      kind: 'id',
      cell: ({ id }) => id,
      hint: ({ id, txHash }) => (txHash === null ? id : `${id}, transaction ${txHash}`),
    },
  ]
}

function amount(
  title: string,
  of: (fill: FillAnswerRow) => readonly [amount: string, asset: string],
): Column<FillAnswerRow> {
  return {
    title,
    kind: 'number',
    cell(fill) {
      const [text, asset] = of(fill)
      return (
        <>
          {shownDecimal(text, asset === 'NTZS' ? 0 : 2)} <small>{asset}</small>
        </>
      )
    },
    hint: (fill) => of(fill).join(' '),
  }
}

function bps(title: string, of: (fill: FillAnswerRow) => number | null): Column<FillAnswerRow> {
  return {
    title,
    kind: 'number',
    cell: (fill) => numberText(of(fill), 1, true),
    tone: (fill) => toneOf(of(fill)),
  }
}
