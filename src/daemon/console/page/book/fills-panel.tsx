import { useState } from 'preact/hooks'
import type { Result } from '../../../../base/result.ts'
import { csvLine } from '../../../../base/csv-text.ts'
import { isoText } from '../../../../base/text/times.ts'
import type { FillAnswerRow, FillsPage } from '../../answers.ts'
import type { PositionView } from '../../../view/position-view.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { SelectField } from '../fields.tsx'
import { type ApiFailure, askApi, query } from '../live/ask-api.ts'
import { Panel } from '../panel.tsx'
import { shownDecimal, numberText, shownTime, toneOf } from '../text.ts'
import { usePages } from './use-pages.ts'

const PAGE_ROWS = 25
/** Empty = all. */
const NO_FILTER = { side: '', asset: '' }

type Props = { readonly position: string; readonly view: PositionView }

/** The fills, newest first, with spread capture and markouts: filtered by the store, sorted as far as they are shown. */
export function FillsPanel({ position, view }: Props) {
  const { total } = view.fills
  const [filter, setFilter] = useState(NO_FILTER)
  const filters = { position, side: filter.side || null, asset: filter.asset || null }
  // Markouts become known later, so the rows are requested again every minute.
  const version = `${total} ${Math.floor(view.now / 60_000)}`
  const pages = usePages<FillAnswerRow>('fills', { ...filters, limit: PAGE_ROWS }, version)
  return (
    <Panel id="fills" class="fills" title="Fills" unit={`${numberText(total, 0)} since the start`}>
      {total > 0 && (
        <form class="filters" aria-label="Filter fills" onSubmit={(event) => event.preventDefault()}>
          <SelectField
            label="Side"
            value={filter.side}
            onChange={(side) => setFilter({ ...filter, side })}
            options={[['', 'both'], 'bid', 'ask']}
          />
          <SelectField
            label="Token"
            value={filter.asset}
            onChange={(asset) => setFilter({ ...filter, asset })}
            options={[['', 'all'], 'USDC', 'USDT', 'USDT.bnb']}
          />
          <CsvButton filters={filters} />
        </form>
      )}
      {pages.problem !== null && <p class="bad">{pages.problem}</p>}
      {pages.rows.length === 0 ? (
        <p class="note">{total === 0 ? 'None yet.' : pages.loading ? 'Loading.' : 'No fill matches.'}</p>
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

type CsvProps = { readonly filters: Readonly<Record<string, string | null>> }

/** Saves all matching fills, also those that are not shown. */
function CsvButton({ filters }: CsvProps) {
  const [state, setState] = useState<string | null>(null)
  const save = async () => {
    const rows: FillAnswerRow[] = []
    let after: string | null = null
    do {
      const answer: Result<FillsPage, ApiFailure> = await askApi(
        `fills${query({ ...filters, after, limit: 500 })}`,
      )
      if (!answer.ok) return setState(answer.error.message)
      rows.push(...answer.value.fills)
      after = answer.value.next
      setState(`${numberText(rows.length, 0)} rows`)
    } while (after !== null)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([fillsCsv(rows)], { type: 'text/csv' }))
    link.download = `fills-${filters['position']}.csv`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <div>
      <button type="button" onClick={() => void save()}>
        Save as CSV
      </button>{' '}
      <small role="status">{state}</small>
    </div>
  )
}

/** The columns of the CSV: exact amounts, times in ISO 8601. */
const CSV: readonly (readonly [name: string, cell: (fill: FillAnswerRow) => string | number | null])[] = [
  ['at', ({ at }) => isoText(at)],
  ['side', ({ side }) => side],
  ['amountIn', ({ amountIn }) => amountIn],
  ['inAsset', ({ inAsset }) => inAsset],
  ['amountOut', ({ amountOut }) => amountOut],
  ['outAsset', ({ outAsset }) => outAsset],
  ['usd', ({ usd }) => usd],
  ['spreadCaptureBps', ({ edgeBps }) => edgeBps],
  ['markoutBps5m', ({ markoutBps }) => markoutBps.m5],
  ['markoutBps1h', ({ markoutBps }) => markoutBps.h1],
  ['markoutBps1d', ({ markoutBps }) => markoutBps.d1],
  ['formula', ({ formula }) => formula],
  ['id', ({ id }) => id],
  ['txHash', ({ txHash }) => txHash],
]

/** Returns the fills as CSV. */
export function fillsCsv(rows: readonly FillAnswerRow[]): string {
  return [CSV.map(([name]) => name), ...rows.map((fill) => CSV.map(([, cell]) => cell(fill)))]
    .map(csvLine)
    .join('')
}

function columns(now: number): readonly Column<FillAnswerRow>[] {
  return [
    { title: 'Time, UTC', cell: ({ at }) => shownTime(at, now), sort: ({ at }) => at },
    { title: 'Side', cell: ({ side }) => side, tone: ({ side }) => `side ${side}`, sort: ({ side }) => side },
    amount('In', ({ amountIn, inAsset }) => [amountIn, inAsset]),
    amount('Out', ({ amountOut, outAsset }) => [amountOut, outAsset]),
    {
      ...bps('Spread capture, bps', ({ edgeBps }) => edgeBps),
      hint: ({ formula }) => (formula === 'unexplained' ? 'no formula explains this payout' : undefined),
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
    sort: (fill) => Number(of(fill)[0]),
  }
}

function bps(title: string, of: (fill: FillAnswerRow) => number | null): Column<FillAnswerRow> {
  return {
    title,
    kind: 'number',
    cell: (fill) => numberText(of(fill), 1, true),
    tone: (fill) => toneOf(of(fill)),
    sort: of,
  }
}
