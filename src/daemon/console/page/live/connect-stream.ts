import { backoffMs } from '../../../../base/backoff.ts'
import type { StreamMessage } from '../../answers.ts'
import type { StreamLink } from './live-state.ts'

type StreamOptions = {
  /** Called before each connection. */
  readonly url: () => string
  readonly token: () => string | null
  readonly onMessage: (message: StreamMessage) => void
  readonly onLink: (link: Partial<StreamLink>) => void
  /** The browser's monotonic clock. */
  readonly now: () => number
}

export type StreamConnection = {
  /** Reconnects at once, e.g. after a token was entered. */
  readonly again: () => void
  /** Reconnects immediately, because the URL has changed. */
  readonly restart: () => void
  readonly close: () => void
}

/** The server sends a message at least every two seconds; a longer silence means a lost connection. */
const SILENCE_MS = 6_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 10_000

/**
 * Reads the stream while the page is open. After a loss it waits half a second, then twice as long each time, at most ten
 * seconds, with a random part so that many pages do not reconnect at once. It uses `fetch` because EventSource cannot send
 * the token in a header.
 */
export function connectStream(options: StreamOptions): StreamConnection {
  let abort = new AbortController()
  let wake: (() => void) | null = null
  let isRestarting = false
  const end = new AbortController()

  async function run(): Promise<void> {
    let failures = 0
    while (!end.signal.aborted) {
      abort = new AbortController()
      options.onLink({ phase: 'connecting', retryAt: null })
      const outcome = await readOnce(options, abort)
      if (end.signal.aborted) return
      if (isRestarting) {
        isRestarting = false
        continue
      }
      failures = outcome.hasReceived ? 1 : failures + 1
      const wait = waitAfter(failures)
      const isLocked = outcome.status === 401 || outcome.status === 403
      options.onLink({
        phase: isLocked ? 'locked' : 'waiting',
        retryAt: isLocked ? null : options.now() + wait,
        problem: outcome.problem,
      })
      await new Promise<void>((resolve) => {
        wake = resolve
        if (!isLocked) setTimeout(resolve, wait)
      })
      wake = null
    }
  }

  void run()
  return {
    again: () => wake?.(),
    restart() {
      if (wake === null) isRestarting = true
      abort.abort()
      wake?.()
    },
    close() {
      end.abort()
      abort.abort()
      wake?.()
    },
  }
}

type Outcome = { readonly hasReceived: boolean; readonly status: number; readonly problem: string }

async function readOnce(options: StreamOptions, abort: AbortController): Promise<Outcome> {
  let hasReceived = false
  let status = 0
  let timer = setTimeout(() => abort.abort(), SILENCE_MS)
  const noteReceived = () => {
    clearTimeout(timer)
    timer = setTimeout(() => abort.abort(), SILENCE_MS)
  }
  try {
    const token = options.token()
    const answer = await fetch(options.url(), {
      headers: {
        accept: 'text/event-stream',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      cache: 'no-store',
      signal: abort.signal,
    })
    ;({ status } = answer)
    if (!answer.ok || answer.body === null) return { hasReceived, status, problem: await sentenceOf(answer) }
    options.onLink({ phase: 'open', retryAt: null, problem: null })
    const read = eventReader()
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { hasReceived, status, problem: 'the daemon ended the connection' }
      hasReceived = true
      noteReceived()
      options.onLink({ receivedAt: options.now() })
      for (const data of read(value)) tell(data, options.onMessage)
    }
  } catch {
    return { hasReceived, status, problem: 'the daemon cannot be reached' }
  } finally {
    clearTimeout(timer)
  }
}

/** Returns null for a malformed message, which must not end the stream. */
function tell(data: string, onMessage: (message: StreamMessage) => void): void {
  let message: unknown
  try {
    message = JSON.parse(data)
  } catch {
    return
  }
  if (typeof message === 'object' && message !== null && 'type' in message)
    onMessage(message as StreamMessage)
}

function waitAfter(failures: number): number {
  return backoffMs(failures, FIRST_WAIT_MS, LONGEST_WAIT_MS) * (0.75 + Math.random() / 2)
}

async function sentenceOf(answer: Response): Promise<string> {
  try {
    const { message } = (await answer.json()) as { readonly message?: string }
    return message ?? `the daemon answered ${answer.status}`
  } catch {
    return `the daemon answered ${answer.status}`
  }
}

/**
 * Returns a parser of server-sent events: it takes text piece by piece and returns the `data` of the events that each piece
 * completes. Comments, names and ids are ignored; the data has its own type.
 */
export function eventReader(): (piece: string) => readonly string[] {
  let rest = ''
  let data: string[] = []
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    const events: string[] = []
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push(data.join('\n'))
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    }
    return events
  }
}
