import type { ComponentChildren } from 'preact'

/** The first row of a table, of columns. */
export function TableHead({ children }: { readonly children: ComponentChildren }) {
  return (
    <thead>
      <tr>{children}</tr>
    </thead>
  )
}

type ColumnProps = {
  /** Digits stand under each other. */
  readonly number?: boolean
  readonly children: ComponentChildren
}

/** The name of a column, which screen readers say with its cells. */
export function Column({ number, children }: ColumnProps) {
  return (
    <th scope="col" class={number === true ? 'number' : undefined}>
      {children}
    </th>
  )
}
