import type { ComponentChildren } from 'preact'

/** A column of a table: its heading, and the content of its cells. */
export type Column<Row> = {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** `number`: digits align; `head`: the cell names its row; `band` is hidden on a narrow screen; `id` is cut. */
  readonly kind?: 'number' | 'head' | 'band' | 'id'
  readonly tone?: (row: Row) => string
  /** The tooltip of a cell. */
  readonly hint?: (row: Row) => string | undefined
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

/** A table that scrolls separately if it is larger than its panel. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, rowTone, children } = props
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={props.class}>
        <thead>
          <tr>
            {columns.map(({ title, kind }) => (
              <th key={title} scope="col" class={kind === 'number' || kind === 'band' ? kind : undefined}>
                {title}
              </th>
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

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { cell, kind, tone, hint } = column
  if (kind === 'head') return <th scope="row">{cell(row)}</th>
  return (
    <td class={[kind, tone?.(row)].filter(Boolean).join(' ')} title={hint?.(row)}>
      {cell(row)}
    </td>
  )
}
