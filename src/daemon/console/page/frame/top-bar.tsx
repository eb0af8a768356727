import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import { TokenDialog } from '../actions/token-dialog.tsx'
import type { LivePosition, LiveState } from '../live/live-state.ts'
import { session } from '../live/ask-api.ts'
import { routeTo } from '../live/hooks.ts'
import { listStanding } from './list-standing.ts'
import { StateMark } from './standing.tsx'

type Props = {
  readonly state: LiveState
  readonly chosen: LivePosition | null
  readonly now: number
  readonly stale: boolean
  readonly onToken: () => void
}

/** The product's name, the positions, and the age of the data. */
export function TopBar({ state, chosen, now, stale, onToken }: Props) {
  const [asks, setAsks] = useState(false)
  const several = Math.max(state.positions.length, state.list.size) > 1
  return (
    <header class="top">
      <button
        type="button"
        class="skip"
        onClick={() => document.querySelector<HTMLElement>('#main')?.focus()}
      >
        Skip to the state
      </button>
      <a class="brand" href="#/">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 3v18M7 21h10M4 7l16-2M4 7l-3 7a3.2 3.2 0 0 0 6 0zM20 5l-3 7a3.2 3.2 0 0 0 6 0z" />
        </svg>
        mizani
      </a>
      {several && <PositionNav list={state.list} chosen={chosen} />}
      <span class="grow" />
      <Freshness state={state} now={now} stale={stale} />
      {several && state.takesCommands && <HaltAll />}
      <a class="docs" href="/docs/" target="_blank" rel="noopener noreferrer">
        Docs
      </a>
      <button type="button" class="plain" onClick={() => setAsks(true)}>
        {session.token() === null ? 'Access key' : 'Access key kept'}
      </button>
      {asks && <TokenDialog onDone={() => (setAsks(false), onToken())} onCancel={() => setAsks(false)} />}
    </header>
  )
}

/** One button stops all positions, on every page. */
function HaltAll() {
  const [asks, setAsks] = useState(false)
  return (
    <>
      <button type="button" class="grave" onClick={() => setAsks(true)}>
        Halt all
      </button>
      {asks && (
        <ConfirmDialog
          title="Halt all positions?"
          label="Halt all"
          isGrave
          command="halt"
          body={{}}
          onClose={() => setAsks(false)}
        >
          <p>Trading stops at once in every position and stays stopped until each of them is resumed.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Maximum number of positions in the bar; the list shows all. */
const MOST_LINKS = 8

function PositionNav({ list, chosen }: Pick<Props, 'chosen'> & { readonly list: LiveState['list'] }) {
  const all = Array.from(list.values(), ({ summary }) => summary)
  const linked = all.length > MOST_LINKS ? all.filter(({ name }) => name === chosen?.name) : all
  return (
    <nav aria-label="Positions">
      <a href="#/" aria-current={chosen === null ? 'page' : undefined}>
        All
      </a>
      {linked
        .filter(({ mode }) => mode !== null)
        .map((summary) => (
          <a
            key={summary.name}
            href={routeTo(summary.name)}
            aria-current={chosen?.name === summary.name ? 'page' : undefined}
          >
            <StateMark tone={listStanding(summary).tone} />
            {summary.name}
          </a>
        ))}
    </nav>
  )
}

function Freshness({ state, now, stale }: Pick<Props, 'state' | 'now' | 'stale'>) {
  const { receivedAt } = state.link
  const age = receivedAt === null ? null : Math.max(0, Math.floor((now - receivedAt) / 1_000))
  const text = age === null ? 'no news yet' : stale ? `stale, ${age} s` : age < 2 ? 'live' : `${age} s ago`
  return (
    <span class={`fresh ${stale ? 'bad' : 'good'}`}>
      <i aria-hidden="true" />
      {text}
    </span>
  )
}
