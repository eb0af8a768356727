import { useEffect, useState } from 'preact/hooks'
import type { NoticeRow } from '../../answers.ts'
import { usePages } from '../book/use-pages.ts'
import { SelectField, TextField } from '../fields.tsx'
import { Panel } from '../panel.tsx'
import { shownTime } from '../text.ts'
import { parseEventPlace } from '../../api/event-place.ts'

const PAGE_ROWS = 50

type LogPanelProps = {
  readonly position: string
  readonly live: readonly NoticeRow[]
  /** Increments when news may have been missed; the store is then queried again. */
  readonly gaps: number
  readonly now: number
}

/** The event log, newest first: rows from the store and news from the stream. */
export function LogPanel({ position, live, gaps, now }: LogPanelProps) {
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
    <Panel id="log" class="log" title="Events">
      <LogFilters filter={filter} kinds={kinds} onChange={setFilter} />
      {pages.problem !== null && <p class="bad">{pages.problem}</p>}
      {rows.length === 0 ? (
        <p class="note">{pages.loading ? 'Loading.' : 'No matching events.'}</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Events">
          <ol class="events">
            {rows.map((notice) => (
              <li key={notice.id} class={notice.severity}>
                <time dateTime={new Date(notice.t).toISOString()}>{shownTime(notice.t, now)}</time>
                <span class="kind">
                  {SIGNS[notice.severity]} {kindText(notice.kind)}
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
    </Panel>
  )
}

const SIGNS = { info: '·', warning: '▲', critical: '⬣' } as const

const TYPING_MS = 300

type LogFiltersProps = {
  readonly filter: LogFilter
  readonly kinds: readonly string[]
  readonly onChange: (filter: LogFilter) => void
}

/** Severity, kind and part of the sentence. */
function LogFilters({ filter, kinds, onChange }: LogFiltersProps) {
  const [text, setText] = useState(filter.text)
  useEffect(() => {
    if (text === filter.text) return
    const timer = setTimeout(() => onChange({ ...filter, text }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, filter, onChange])
  const offered = filter.kind === '' || kinds.includes(filter.kind) ? kinds : [filter.kind, ...kinds]
  return (
    <form
      class="filters"
      role="search"
      aria-label="Filter events"
      onSubmit={(event) => event.preventDefault()}
    >
      <SelectField
        label="Severity"
        value={filter.severity}
        onChange={(severity) => onChange({ ...filter, severity })}
        options={[['', 'all'], 'critical', 'warning', 'info']}
      />
      <SelectField
        label="Kind"
        value={filter.kind}
        onChange={(kind) => onChange({ ...filter, kind })}
        options={[['', 'all'], ...offered.map((kind) => [kind, kindText(kind)] as const)]}
      />
      <TextField label="Text" type="search" value={text} onChange={setText} />
    </form>
  )
}

/** Returns the kind of an event in words, such as `trading state changed`. */
function kindText(kind: string): string {
  return kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** Empty = all. */
type LogFilter = { readonly severity: string; readonly kind: string; readonly text: string }

export const NO_FILTER: LogFilter = { severity: '', kind: '', text: '' }

/** Whether a line from the stream matches the filter; the store filters its own rows. */
export function passesFilter(notice: NoticeRow, { severity, kind, text }: LogFilter): boolean {
  return (
    (severity === '' || notice.severity === severity) &&
    (kind === '' || notice.kind === kind) &&
    notice.text.toLowerCase().includes(text.toLowerCase())
  )
}

/**
 * Returns the rows of the stream and of the store as one list, newest first, each once. While the store has older pages that
 * were not requested, rows before its oldest one are left out; they come with those pages.
 */
export function logRows(
  live: readonly NoticeRow[],
  stored: readonly NoticeRow[],
  hasOlder: boolean,
): readonly NoticeRow[] {
  const known = new Set(stored.map(({ id }) => id))
  const last = hasOlder ? stored.at(-1) : undefined
  const fresh = live.filter((row) => !known.has(row.id) && (last === undefined || newestFirst(row, last) < 0))
  return [...fresh, ...stored].toSorted(newestFirst)
}

function newestFirst(a: NoticeRow, b: NoticeRow): number {
  const [left, right] = [parseEventPlace(a.id), parseEventPlace(b.id)]
  if (left === null || right === null) return 0
  return right.seq - left.seq || right.n - left.n
}
