import { useEffect, useRef, useState } from 'preact/hooks'
import type { LivePosition } from '../live/live-state.ts'
import { standing } from './standing.ts'

type Props = { readonly positions: readonly LivePosition[]; readonly stale: boolean }

/** Says changes of state to those who do not see them: what changed, and why. */
export function Announcer({ positions, stale }: Props) {
  const before = useRef(new Map<string, string>())
  const wasStale = useRef(false)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const news: string[] = []
    if (stale !== wasStale.current) news.push(stale ? 'The connection is lost.' : 'The connection is back.')
    wasStale.current = stale
    for (const position of positions) {
      const { word, reason } = standing(position)
      const known = before.current.get(position.name)
      if (known !== undefined && known !== word) news.push(`${position.name} is ${word}. ${reason}`)
      before.current.set(position.name, word)
    }
    if (news.length > 0) setSaid(news.join(' '))
  }, [positions, stale])
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said}
    </div>
  )
}
