import { isNamed, orderOf, type ListSort } from '../../api/list-order.ts'
import { listStandingOf, type ListStanding } from '../../api/trouble.ts'
import type { PositionSummary } from '../../../view/position-summary.ts'
import type { ListedSummary } from '../live/live-state.ts'

/** The user's choice of filter, order and page. */
export type ListView = {
  readonly search: string
  /** Empty = all. */
  readonly standing: ListStanding | ''
  readonly sort: ListSort
  /** From 0. */
  readonly page: number
}

export const FIRST_VIEW: ListView = { search: '', standing: '', sort: 'trouble', page: 0 }

/** Rows per page; all of them are redrawn at every change. */
export const PAGE_ROWS = 25

export const SORTS: Readonly<Record<ListSort, string>> = {
  trouble: 'trouble first',
  name: 'name',
  pnlTodayUsd: 'PnL today',
  pnlTotalUsd: 'PnL in all',
  deployedUsd: 'deployed',
  outstandingUsd: 'outstanding',
  heldUsd: 'held',
  lossUsd: 'loss',
}

export const STANDING_NAMES: Readonly<Record<ListStanding, string>> = {
  halted: 'halted',
  silent: 'silent or not running',
  'not-ready': 'not ready',
  critical: 'critical',
  warning: 'warning',
  reducing: 'reducing',
  paused: 'paused',
  active: 'active',
}

export type ListPage = {
  readonly rows: readonly ListedSummary[]
  readonly matching: number
  /** The page that is shown: the last one where fewer match by now. */
  readonly page: number
  readonly pages: number
}

/** One page of the positions that match, in the order that was chosen. */
export function pageOf(list: Iterable<ListedSummary>, view: ListView): ListPage {
  const order = orderOf(view.sort)
  const matching = [...list]
    .filter(({ summary }) => matches(summary, view))
    .toSorted((one, other) => order(one.summary, other.summary))
  const pages = Math.max(1, Math.ceil(matching.length / PAGE_ROWS))
  const page = Math.min(view.page, pages - 1)
  const rows = matching.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS)
  return { rows, matching: matching.length, page, pages }
}

function matches(summary: PositionSummary, { search, standing }: ListView): boolean {
  return (standing === '' || listStandingOf(summary) === standing) && isNamed(summary, search)
}
