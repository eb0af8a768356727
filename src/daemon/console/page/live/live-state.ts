import type { NoticeRow, StreamMessage } from '../../answers.ts'
import type { PositionSummary } from '../../../view/position-summary.ts'
import type { PositionView } from '../../../view/position-view.ts'

/** The state of the connection. Times are from the browser's monotonic clock. */
export type StreamLink = {
  readonly phase: 'connecting' | 'open' | 'waiting' | 'locked'
  /** When the last message arrived; null = never. */
  readonly receivedAt: number | null
  /** While waiting: when the page reconnects. */
  readonly retryAt: number | null
  readonly problem: string | null
}

export type LivePosition = {
  readonly name: string
  readonly view: PositionView | null
  readonly receivedAt: number | null
  /** Why it does not answer; null = it answers. */
  readonly silent: string | null
  /** The news since the connection opened, newest first. */
  readonly notices: readonly NoticeRow[]
  /** Increments when news may have been missed: at a connection, after a silence, or when messages were dropped. */
  readonly gaps: number
}

/** A line of the list, and when it arrived. */
export type ListedSummary = { readonly summary: PositionSummary; readonly receivedAt: number }

export type LiveState = {
  readonly link: StreamLink
  readonly version: string | null
  readonly takesCommands: boolean
  readonly positions: readonly LivePosition[]
  /** The line of each position by name, including positions that do not run. */
  readonly list: ReadonlyMap<string, ListedSummary>
  /** The number of messages that the server dropped because this page was too slow. */
  readonly dropped: number
}

export const FIRST_STATE: LiveState = {
  link: { phase: 'connecting', receivedAt: null, retryAt: null, problem: null },
  version: null,
  takesCommands: false,
  positions: [],
  list: new Map(),
  dropped: 0,
}

const NOTICES_KEPT = 200

/** Returns the state after a message that arrived at `at`. */
export function liveState(state: LiveState, message: StreamMessage, at: number): LiveState {
  switch (message.type) {
    case 'hello': {
      const { version, takesCommands } = message
      const positions = message.positions.map((name) => missed({ ...positionOf(state, name), notices: [] }))
      return { ...state, version, takesCommands, positions }
    }
    case 'state': {
      const { silent, gaps } = positionOf(state, message.position)
      const news = {
        view: message.view,
        receivedAt: at,
        silent: null,
        gaps: silent === null ? gaps : gaps + 1,
      }
      return changed(state, message.position, news)
    }
    case 'silent':
      return changed(state, message.position, { silent: message.why })
    case 'notice': {
      const { notices } = positionOf(state, message.position)
      if (notices.some(({ id }) => id === message.notice.id)) return state
      return changed(state, message.position, {
        notices: [message.notice, ...notices].slice(0, NOTICES_KEPT),
      })
    }
    case 'summaries':
      return listed(state, message, at)
    case 'dropped':
      return {
        ...state,
        dropped: state.dropped + message.count,
        positions: state.positions.map(missed),
      }
    default:
      // A newer server may send unknown messages.
      return state
  }
}

function listed(
  state: LiveState,
  { whole, positions, gone }: Extract<StreamMessage, { type: 'summaries' }>,
  at: number,
): LiveState {
  if (!whole && positions.length + gone.length === 0) return state
  const list = new Map(whole ? [] : state.list)
  for (const name of gone) list.delete(name)
  for (const summary of positions) list.set(summary.name, { summary, receivedAt: at })
  return { ...state, list }
}

/** Returns the state of the named position; null = no such position. */
export function findShownPosition(state: LiveState, name: string): LivePosition | null {
  const isThere = state.list.has(name) || state.positions.some((position) => position.name === name)
  return isThere ? positionOf(state, name) : null
}

/** Returns the position that the page shows: the one of the route, or the only one; null = the list, or no such position. */
export function chosenPosition(state: LiveState, route: string | null): LivePosition | null {
  const [only] = state.positions
  if (state.positions.length === 1 && state.list.size <= 1 && only !== undefined && route === null)
    return only
  return route === null ? null : findShownPosition(state, route)
}

function positionOf({ positions }: LiveState, name: string): LivePosition {
  const known = positions.find((position) => position.name === name)
  return known ?? { name, view: null, receivedAt: null, silent: null, notices: [], gaps: 0 }
}

function missed(position: LivePosition): LivePosition {
  return { ...position, gaps: position.gaps + 1 }
}

function changed(state: LiveState, name: string, change: Partial<LivePosition>): LiveState {
  const next = { ...positionOf(state, name), ...change }
  const isKnown = state.positions.some((position) => position.name === name)
  const positions = isKnown
    ? state.positions.map((position) => (position.name === name ? next : position))
    : [...state.positions, next]
  return { ...state, positions }
}

/** The server sends a message every two seconds, so five seconds without one mean a lost connection. */
const QUIET_MS = 3_500
const BROKEN_MS = 2_000

/** Whether the page is outdated: no message for a while, or the connection broke. */
export function isStale({ phase, receivedAt }: StreamLink, now: number): boolean {
  if (receivedAt === null) return phase === 'waiting' || phase === 'locked'
  return now - receivedAt > (phase === 'open' ? QUIET_MS : BROKEN_MS)
}
