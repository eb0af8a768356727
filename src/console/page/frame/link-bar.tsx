import { TokenForm } from '../actions/token-dialog.tsx'
import type { Link, LivePosition } from '../live/live-state.ts'
import { standing, StateMark } from './standing.tsx'
import { useEffect, useRef, useState } from 'preact/hooks'

type LinkBarProps = {
  readonly link: Link
  readonly dropped: number
  readonly now: number
  readonly stale: boolean
  readonly onToken: () => void
}

/** Says plainly when what is shown is old, and what is being done about it. */
export function LinkBar({ link, dropped, now, stale, onToken }: LinkBarProps) {
  if (link.phase === 'locked') {
    return (
      <section class="linkbar warn" aria-label="Token needed">
        <p>{link.problem}</p>
        <TokenForm onDone={onToken} />
      </section>
    )
  }
  if (stale) {
    return (
      <section class="linkbar bad" aria-label="Connection lost">
        <StateMark tone="bad" />
        <strong>STALE</strong>
        <p>
          {link.heardAt === null ? 'No news yet' : `No news for ${secondsSince(link.heardAt, now)} s`}
          {link.problem === null ? '' : `: ${link.problem}`}. {attempt(link, now)}
          {link.heardAt !== null && ' Everything below is as it was then.'}
        </p>
      </section>
    )
  }
  if (dropped === 0) return null
  return (
    <section class="linkbar warn" aria-label="News left out">
      <p>
        This page was too slow: {dropped} messages were left out for it. The state below is the latest one.
      </p>
    </section>
  )
}

function secondsSince(then: number, now: number): number {
  return Math.max(0, Math.floor((now - then) / 1_000))
}

function attempt({ phase, retryAt }: Link, now: number): string {
  if (phase === 'waiting' && retryAt !== null)
    return `Trying again in ${Math.max(0, Math.ceil((retryAt - now) / 1_000))} s.`
  return 'Trying again now.'
}

type AnnouncerProps = { readonly positions: readonly LivePosition[]; readonly stale: boolean }

/** Says changes of state to those who do not see them: what changed, and why. */
export function Announcer({ positions, stale }: AnnouncerProps) {
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
