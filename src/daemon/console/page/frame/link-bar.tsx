import { TokenForm } from '../actions/token-dialog.tsx'
import type { StreamLink, LivePosition, LiveState } from '../live/live-state.ts'
import { listStanding } from './list-standing.ts'
import { standing, StateMark, type ShownStanding } from './standing.tsx'
import { useEffect, useRef, useState } from 'preact/hooks'

type LinkBarProps = {
  readonly link: StreamLink
  readonly dropped: number
  readonly now: number
  readonly stale: boolean
  readonly onToken: () => void
}

/** Shows when the displayed data is outdated, and when the page reconnects. */
export function LinkBar({ link, dropped, now, stale, onToken }: LinkBarProps) {
  if (link.phase === 'locked') {
    return (
      <section class="linkbar warn" aria-label="Access key needed">
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
          {link.receivedAt === null ? 'No news yet' : `No news for ${secondsSince(link.receivedAt, now)} s`}
          {link.problem === null ? '' : `: ${link.problem}`}. {attempt(link, now)}
          {link.receivedAt !== null && ' Everything below is from that time.'}
        </p>
      </section>
    )
  }
  if (dropped === 0) return null
  return (
    <section class="linkbar warn" aria-label="News left out">
      <p>This page was too slow: {dropped} messages were dropped. The state below is current.</p>
    </section>
  )
}

/** Shows on every page that no real money moves. */
export function SimulationBar({ simulation }: { readonly simulation: string | null }) {
  if (simulation === null) return null
  return (
    <section class="linkbar simulated" aria-label="Simulated venue">
      <p>
        <strong>Simulated venue</strong>, as its answers say: no real money; {simulation}
      </p>
    </section>
  )
}

/** Returns what the venue of the chosen position, or of all positions of the list, simulates; null = a venue may be real. */
export function simulationOf({ list }: Pick<LiveState, 'list'>, chosen: LivePosition | null): string | null {
  if (chosen?.view != null) return chosen.view.simulation
  const shown = Array.from(list.values(), ({ summary }) => summary)
    .filter(({ name, mode }) => (chosen === null ? mode !== null : name === chosen.name))
    .map(({ simulation }) => simulation)
  return shown.includes(null) ? null : (shown[0] ?? null)
}

function secondsSince(then: number, now: number): number {
  return Math.max(0, Math.floor((now - then) / 1_000))
}

function attempt({ phase, retryAt }: StreamLink, now: number): string {
  if (phase === 'waiting' && retryAt !== null)
    return `Trying again in ${Math.max(0, Math.ceil((retryAt - now) / 1_000))} s.`
  return 'Trying again now.'
}

type AnnouncerProps = {
  readonly state: LiveState
  readonly chosen: LivePosition | null
  readonly stale: boolean
}

/** Maximum number of changes that are read aloud at once; the rest are counted. */
const MOST_SPOKEN = 3

/** Announces changes of state, with reasons, to screen readers. */
export function Announcer({ state, chosen, stale }: AnnouncerProps) {
  const before = useRef(new Map<string, string>())
  const shown = useRef(chosen?.name)
  const wasStale = useRef(false)
  const [said, setSaid] = useState('')
  const { list } = state
  useEffect(() => {
    const news: string[] = []
    if (stale !== wasStale.current) news.push(stale ? 'The connection is lost.' : 'The connection is back.')
    wasStale.current = stale
    // The position page and the list use different words, so switching between them is not a change of state.
    if (shown.current !== chosen?.name) before.current.clear()
    shown.current = chosen?.name
    news.push(...changesOf(standings(list, chosen), before.current))
    if (news.length > 0) setSaid(news.join(' '))
  }, [list, chosen, stale])
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said}
    </div>
  )
}

/** Returns the states of the chosen position, read from its full view, or of all listed positions. */
function standings(
  list: LiveState['list'],
  chosen: LivePosition | null,
): readonly (readonly [string, ShownStanding])[] {
  if (chosen !== null) return [[chosen.name, standing(chosen)]]
  return Array.from(list.values(), ({ summary }) => [summary.name, listStanding(summary)])
}

function changesOf(
  now: readonly (readonly [string, ShownStanding])[],
  before: Map<string, string>,
): readonly string[] {
  const changes: string[] = []
  for (const [name, { word, reason }] of now) {
    const known = before.get(name)
    if (known !== undefined && known !== word) changes.push(`${name} is ${word}. ${reason}`)
    before.set(name, word)
  }
  const more = changes.length - MOST_SPOKEN
  return more > 0 ? [...changes.slice(0, MOST_SPOKEN), `${more} more positions changed.`] : changes
}
