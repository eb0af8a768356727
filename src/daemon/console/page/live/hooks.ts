import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { connectStream, type StreamConnection } from './connect-stream.ts'
import { FIRST_STATE, liveState, type LiveState } from './live-state.ts'
import { query, session, signIn, takeSignInKey } from './ask-api.ts'

/** Messages that arrive together are rendered once. */
const DRAW_EVERY_MS = 100

type Live = { readonly state: LiveState; readonly reconnect: () => void }

/** Follows the daemon's stream for the whole page: the list, and the state of the position in `route`. */
export function useLive(route: string | null): Live {
  const shown = useRef(route)
  const [state, setState] = useState<LiveState>(FIRST_STATE)
  const [connection, setConnection] = useState<StreamConnection | null>(null)
  useEffect(() => {
    let current = FIRST_STATE
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        setState(current)
      }, DRAW_EVERY_MS)
    }
    const opened = connectStream({
      url: () => `/api/v1/stream${query({ list: 'true', position: shown.current })}`,
      token: session.token,
      now: () => performance.now(),
      onMessage(message) {
        current = liveState(current, message, performance.now())
        draw()
      },
      onLink(link) {
        current = { ...current, link: { ...current.link, ...link } }
        draw()
      },
    })
    setConnection(opened)
    const again = () => opened.again()
    addEventListener('online', again)
    return () => {
      removeEventListener('online', again)
      clearTimeout(timer)
      opened.close()
    }
  }, [])
  useEffect(() => {
    if (shown.current === route) return
    shown.current = route
    connection?.restart()
  }, [route, connection])
  return { state, reconnect: () => connection?.again() }
}

/** Signs this tab in with a key from the address, now or later. Returns why the last key was refused. */
export function useSignIn(onToken: () => void): string | null {
  const [problem, setProblem] = useState<string | null>(null)
  const latest = useRef(onToken)
  latest.current = onToken
  useEffect(() => {
    const look = () => {
      const key = takeSignInKey()
      if (key === null) return
      void signIn(key).then((done) => {
        setProblem(done.ok ? null : done.error.message)
        if (done.ok) latest.current()
      })
    }
    look()
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  return problem
}

/** A position's page, or its treasury's. */
type Route = { readonly position: string; readonly isTreasury: boolean }

/** Returns the part of the URL after '#/'; null = none. */
export function useRoute(): Route | null {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = () => setHash(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return useMemo(() => routeIn(hash), [hash])
}

/** The address of a position's page. */
export function routeTo(position: string): string {
  return `#/${encodeURIComponent(position)}`
}

/** The address of its treasury. A slash in a name is escaped, so the address cannot match another position. */
export function treasuryRouteTo(position: string): string {
  return `${routeTo(position)}${TREASURY}`
}

const TREASURY = '/treasury'

function routeIn(hash: string): Route | null {
  if (!hash.startsWith('#/') || hash === '#/') return null
  const isTreasury = hash.endsWith(TREASURY)
  try {
    return {
      position: decodeURIComponent(hash.slice(2, isTreasury ? -TREASURY.length : undefined)),
      isTreasury,
    }
  } catch {
    return null
  }
}

/** Returns the browser's monotonic time, updated every half second, for displaying ages. */
export function useTick(): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The width of an element in CSS pixels, kept up to date; give `ref` to the element. */
export function useWidth(): { readonly ref: (element: HTMLElement | null) => void; readonly width: number } {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (element === null) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return { ref: setElement, width }
}
