import { useEffect, useRef, useState } from 'preact/hooks'
import { askApi, query } from '../live/ask-api.ts'

type Pages<Row> = {
  readonly rows: readonly Row[]
  readonly next: string | null
  readonly problem: string | null
  readonly loading: boolean
  readonly older: () => void
}

type Page<Row> = { readonly rows: readonly Row[]; readonly next: string | null }
type Answer<Row> = { readonly [path in 'fills' | 'notices']?: readonly Row[] } & {
  readonly next: string | null
}
type Filters = Readonly<Record<string, string | number | null>>

/**
 * Returns rows of the store, newest first, page by page; the answer has them under the name of the path. Starts again when
 * the path or the filters change. A change of `version` requests the newest page again and keeps the older ones. The answer
 * to an outdated request is discarded.
 */
export function usePages<Row extends { readonly id: string }>(
  path: 'fills' | 'notices',
  filters: Filters,
  version: string,
): Pages<Row> {
  const asked = `${path}${query(filters)}`
  const current = useRef('')
  const shownFor = useRef('')
  const [page, setPage] = useState<Page<Row>>({ rows: [], next: null })
  const [problem, setProblem] = useState<string | null>(null)
  const [loading, setLoading] = useState(false)

  async function load(after: string | null): Promise<void> {
    const key = `${asked} ${version} ${after}`
    current.current = key
    setLoading(true)
    const answer = await askApi<Answer<Row>>(`${path}${query({ ...filters, after })}`)
    if (current.current !== key) return
    setLoading(false)
    setProblem(answer.ok ? null : answer.error.message)
    if (!answer.ok) return
    const { [path]: rows = [], next } = answer.value
    const isKnown = shownFor.current === asked
    shownFor.current = asked
    setPage((before) => {
      if (after !== null) return { rows: [...before.rows, ...rows], next }
      return isKnown ? renewed({ rows, next }, before) : { rows, next }
    })
  }

  useEffect(() => {
    void load(null)
  }, [asked, version])
  useEffect(() => () => void (current.current = ''), [])
  return { ...page, problem, loading, older: () => void load(page.next) }
}

/** Returns the newest page followed by the older ones, if they are contiguous. */
function renewed<Row extends { readonly id: string }>(newest: Page<Row>, before: Page<Row>): Page<Row> {
  const ids = new Set(newest.rows.map(({ id }) => id))
  const older = before.rows.filter(({ id }) => !ids.has(id))
  const meets = older.length < before.rows.length
  const isLonger = before.rows.length > newest.rows.length
  return meets && isLonger ? { rows: [...newest.rows, ...older], next: before.next } : newest
}
