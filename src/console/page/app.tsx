import { useEffect } from 'preact/hooks'
import { Announcer, LinkBar } from './frame/link-bar.tsx'
import { PositionList } from './frame/position-list.tsx'
import { PositionPage } from './frame/position-page.tsx'
import { standing } from './frame/standing.tsx'
import { TopBar } from './frame/top-bar.tsx'
import { isStale, type LivePosition, type LiveState } from './live/live-state.ts'
import { useLive } from './live/use-live.ts'
import { useRoute, useTick } from './live/hooks.ts'

/** The whole page: one position, or the list of several. */
export function App() {
  const { state, reconnect } = useLive()
  const now = useTick()
  const route = useRoute()
  const chosen = chosenOf(state.positions, route)
  const stale = isStale(state.link, now)
  useEffect(() => {
    document.title = titleOf(state, chosen, stale)
  }, [state, chosen, stale])
  return (
    <>
      <TopBar state={state} chosen={chosen} now={now} stale={stale} onToken={reconnect} />
      <LinkBar link={state.link} dropped={state.dropped} now={now} stale={stale} onToken={reconnect} />
      <Announcer positions={state.positions} stale={stale} />
      <main id="main" tabIndex={-1} class={stale && state.positions.length > 0 ? 'stale' : ''}>
        {chosen === null ? (
          <PositionList state={state} now={now} />
        ) : (
          <PositionPage
            key={chosen.name}
            position={chosen}
            takesCommands={state.takesCommands}
            now={now}
            stale={stale}
          />
        )}
      </main>
    </>
  )
}

function chosenOf(positions: readonly LivePosition[], route: string | null): LivePosition | null {
  const [only] = positions
  if (positions.length === 1 && only !== undefined) return only
  return positions.find(({ name }) => name === route) ?? null
}

function titleOf({ positions }: LiveState, chosen: LivePosition | null, stale: boolean): string {
  const shown = chosen === null ? positions : [chosen]
  const troubled = shown.find((position) => standing(position).tone === 'bad')
  const first = troubled ?? shown[0]
  if (first === undefined) return 'mizani'
  return `${stale ? 'STALE' : standing(first).word} ${first.name} · mizani`
}
