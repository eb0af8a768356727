import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** A column of a table: its heading, and the content of its cells. */
export type Column<Row> = {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /**
   * `number`: digits align; `head`: the cell names its row; `band` is hidden on a narrow screen; `id` is cut; `text` has a line of
   * its own in a card.
   */
  readonly kind?: 'number' | 'head' | 'band' | 'id' | 'text'
  readonly tone?: (row: Row) => string
  /** The tooltip of a cell. */
  readonly hint?: (row: Row) => string | undefined
  /** By what the heading sorts the rows that are shown; null comes last. */
  readonly sort?: (row: Row) => number | string | null
}

type DataTableProps<Row> = {
  /** The name for screen readers of the region that scrolls. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly rowTone?: (row: Row) => string
  readonly class?: string
  /** Content below the table that scrolls with it. */
  readonly children?: ComponentChildren
}

/** A table that scrolls separately if it is larger than its panel; on a phone each row is a card with labelled values. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, keyOf, rowTone, children } = props
  const [order, setOrder] = useState<Order | null>(null)
  const by = columns.find(({ title }) => title === order?.title)?.sort
  const rows =
    by === undefined || order === null ? props.rows : props.rows.toSorted(comparing(by, order.falls))
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={props.class}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} column={column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={rowTone?.(row)}>
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {children}
    </div>
  )
}

type Order = { readonly title: string; readonly falls: boolean }
type HeadingProps<Row> = {
  readonly column: Column<Row>
  readonly order: Order | null
  readonly onOrder: (order: Order | null) => void
}

/** A heading that sorts falls first, then rises, then restores the order of the rows. */
function Heading<Row>({ column: { title, kind, sort }, order, onOrder }: HeadingProps<Row>) {
  const tone = kind === 'number' || kind === 'band' ? kind : undefined
  if (sort === undefined)
    return (
      <th scope="col" class={tone}>
        {title}
      </th>
    )
  const falls = order?.title === title ? order.falls : null
  const next = falls === null ? { title, falls: true } : falls ? { title, falls: false } : null
  return (
    <th scope="col" class={tone} aria-sort={falls === null ? 'none' : falls ? 'descending' : 'ascending'}>
      <button type="button" class="sort" onClick={() => onOrder(next)}>
        {title} <span aria-hidden="true">{falls === null ? '' : falls ? '▾' : '▴'}</span>
      </button>
    </th>
  )
}

function comparing<Row>(
  by: (row: Row) => number | string | null,
  falls: boolean,
): (a: Row, b: Row) => number {
  return (a, b) => {
    const [x, y] = [by(a), by(b)]
    if (x === y) return 0
    if (x === null || y === null) return x === null ? 1 : -1
    return (x < y ? -1 : 1) * (falls ? -1 : 1)
  }
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { title, cell, kind, tone, hint } = column
  if (kind === 'head') return <th scope="row">{cell(row)}</th>
  return (
    <td class={[kind, tone?.(row)].filter(Boolean).join(' ')} title={hint?.(row)} data-label={title}>
      {cell(row)}
    </td>
  )
}
