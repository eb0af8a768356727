import { useState } from 'preact/hooks'
import type { NoticeRow } from '../../api/api-types.ts'
import { usePages } from '../book/use-pages.ts'
import { timeText } from '../text/time-text.ts'
import { NO_FILTER, passesFilter, type LogFilter } from './log-filter.ts'
import { LogFilters } from './log-filters.tsx'
import { logRows } from './log-rows.ts'

const PAGE_ROWS = 50

type Props = {
  readonly position: string
  readonly live: readonly NoticeRow[]
  /** How often news may have been missed: the store is asked again. */
  readonly gaps: number
  readonly now: number
}

/** What happened, newest first: what the store has, and what came since over the stream. */
export function LogPanel({ position, live, gaps, now }: Props) {
  const [filter, setFilter] = useState<LogFilter>(NO_FILTER)
  const pages = usePages<NoticeRow>(
    'notices',
    { position, limit: PAGE_ROWS, severity: filter.severity, kind: filter.kind, text: filter.text },
    `${gaps}`,
  )
  const passing = live.filter((notice) => passesFilter(notice, filter))
  const rows = logRows(passing, pages.rows, pages.next !== null)
  const kinds = [...new Set([...rows, ...live].map(({ kind }) => kind))].sort()
  return (
    <section class="panel log" aria-labelledby="log">
      <h2 id="log">Events</h2>
      <LogFilters filter={filter} kinds={kinds} onChange={setFilter} />
      {pages.problem !== null && <p class="bad">{pages.problem}</p>}
      {rows.length === 0 ? (
        <p class="note">{pages.loading ? 'Loading.' : 'Nothing of that kind.'}</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Events">
          <ol class="events">
            {rows.map((notice) => (
              <li key={notice.id} class={notice.severity}>
                <time dateTime={new Date(notice.t).toISOString()}>{timeText(notice.t, now)}</time>
                <span class="kind">
                  {SIGNS[notice.severity]} {notice.kind}
                </span>
                <span class="text">{notice.text}</span>
              </li>
            ))}
          </ol>
          {pages.next !== null && (
            <button type="button" class="plain" disabled={pages.loading} onClick={pages.older}>
              Older events
            </button>
          )}
        </div>
      )}
    </section>
  )
}

const SIGNS = { info: '·', warning: '▲', critical: '⬣' } as const
