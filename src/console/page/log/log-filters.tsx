import { useEffect, useState } from 'preact/hooks'
import type { LogFilter } from './log-filter.ts'

const TYPING_MS = 300

type Props = {
  readonly filter: LogFilter
  readonly kinds: readonly string[]
  readonly onChange: (filter: LogFilter) => void
}

/** Severity, kind and part of the sentence. */
export function LogFilters({ filter, kinds, onChange }: Props) {
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
      <label>
        Severity
        <select
          value={filter.severity}
          onChange={(event) => onChange({ ...filter, severity: event.currentTarget.value })}
        >
          <option value="">all</option>
          <option>critical</option>
          <option>warning</option>
          <option>info</option>
        </select>
      </label>
      <label>
        Kind
        <select
          value={filter.kind}
          onChange={(event) => onChange({ ...filter, kind: event.currentTarget.value })}
        >
          <option value="">all</option>
          {offered.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </select>
      </label>
      <label>
        Text
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
    </form>
  )
}
