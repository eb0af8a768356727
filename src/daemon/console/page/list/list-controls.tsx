import { LIST_SORTS } from '../../api/list-order.ts'
import { STANDINGS } from '../../api/trouble.ts'
import { SelectField, TextField } from '../fields.tsx'
import { SORTS, STANDING_NAMES, type ListPage, type ListView } from './list-view.ts'

type Props = { readonly view: ListView; readonly onChange: (news: Partial<ListView>) => void }

/** The search text, the state filter and the sort order. */
export function ListControls({ view, onChange }: Props) {
  return (
    <form
      class="filters"
      role="search"
      aria-label="Filter positions"
      onSubmit={(event) => event.preventDefault()}
    >
      <TextField
        label="Name or strategy"
        type="search"
        value={view.search}
        onChange={(search) => onChange({ search })}
      />
      <SelectField
        label="State"
        value={view.standing}
        onChange={(value) => onChange({ standing: STANDINGS.find((one) => one === value) ?? '' })}
        options={[['', 'all'], ...STANDINGS.map((standing) => [standing, STANDING_NAMES[standing]] as const)]}
      />
      <SelectField
        label="Order"
        value={view.sort}
        onChange={(value) => onChange({ sort: LIST_SORTS.find((one) => one === value) ?? 'trouble' })}
        options={LIST_SORTS.map((sort) => [sort, SORTS[sort]] as const)}
      />
    </form>
  )
}

type PagerProps = { readonly page: ListPage; readonly onPage: (page: number) => void }

/** The page number and the links to other pages; renders nothing if all rows fit on one. */
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
