import { LIST_SORTS } from '../../api/list-order.ts'
import { STANDINGS } from '../../api/trouble.ts'
import { SORTS, STANDING_NAMES, type ListPage, type ListView } from './list-view.ts'

type Props = { readonly view: ListView; readonly onChange: (news: Partial<ListView>) => void }

/** Part of the name, the state and the order. */
export function ListControls({ view, onChange }: Props) {
  return (
    <form
      class="filters"
      role="search"
      aria-label="Filter positions"
      onSubmit={(event) => event.preventDefault()}
    >
      <label>
        Name or strategy
        <input
          type="search"
          value={view.search}
          onInput={(event) => onChange({ search: event.currentTarget.value })}
        />
      </label>
      <label>
        State
        <select
          value={view.standing}
          onChange={(event) =>
            onChange({ standing: STANDINGS.find((one) => one === event.currentTarget.value) ?? '' })
          }
        >
          <option value="">all</option>
          {STANDINGS.map((standing) => (
            <option key={standing} value={standing}>
              {STANDING_NAMES[standing]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Order
        <select
          value={view.sort}
          onChange={(event) =>
            onChange({ sort: LIST_SORTS.find((one) => one === event.currentTarget.value) ?? 'trouble' })
          }
        >
          {LIST_SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {SORTS[sort]}
            </option>
          ))}
        </select>
      </label>
    </form>
  )
}

type PagerProps = { readonly page: ListPage; readonly onPage: (page: number) => void }

/** Which page is shown, and the way to the others; nothing where all fit on one. */
export function Pager({ page: { page, pages, matching }, onPage }: PagerProps) {
  if (pages === 1) return null
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span>
        Page {page + 1} of {pages}, {matching} positions
      </span>
      <button type="button" disabled={page === pages - 1} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  )
}
