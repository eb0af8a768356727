import { TokenForm } from '../actions/token-form.tsx'
import type { Link } from '../live/live-state.ts'
import { StateMark } from './state-mark.tsx'

type Props = {
  readonly link: Link
  readonly dropped: number
  readonly now: number
  readonly stale: boolean
  readonly onToken: () => void
}

/** Says plainly when what is shown is old, and what is being done about it. */
export function LinkBar({ link, dropped, now, stale, onToken }: Props) {
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
