import { useEffect, useState } from 'preact/hooks'
import { connectStream, type Connection } from './connect-stream.ts'
import { FIRST_STATE, liveState, type LiveState } from './live-state.ts'
import { session } from './session.ts'

/** Several messages that come together are drawn once. */
const DRAW_EVERY_MS = 100

export type Live = { readonly state: LiveState; readonly reconnect: () => void }

/** The daemon's news, for the whole page. */
export function useLive(): Live {
  const [state, setState] = useState<LiveState>(FIRST_STATE)
  const [connection, setConnection] = useState<Connection | null>(null)
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
      url: '/api/v1/stream',
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
  return { state, reconnect: () => connection?.again() }
}
