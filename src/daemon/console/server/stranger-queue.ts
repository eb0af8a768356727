import type { IncomingMessage, ServerResponse } from 'node:http'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import { runAfter } from '../../../base/threads/timing.ts'
import { Refusal } from '../refusal.ts'

/** The share of this thread's time that requests without a valid token may use, and how much of it they may use in advance. */
const SHARE = 0.25
const AHEAD_MS: Ms = 100
/** The longest time that the next request waits for its share, however busy this thread is. */
const LONGEST_PAUSE_MS: Ms = SECOND_MS
/** A request's cost is known once it is answered, so only a few may be unanswered. Waiting reads leave room for health checks. */
const MOST_UNANSWERED = { first: 8, other: 4 } as const
const MOST_WAITING = 512
const TOO_MANY = 'too many requests without a token are waiting; try again in 1 s, or send the token'

/** Emitted by a response that continues as a stream: it counts as answered, and the stream has its own limits. */
export const STREAM_BEGUN = 'streamBegun'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** `first`: health checks and the proof of the command line, which go before the others. */
type Lane = keyof typeof MOST_UNANSWERED

type StrangerQueue = {
  /** Handles a request now or in its turn. Throws a Refusal if too many wait. */
  readonly enter: { readonly [lane in Lane]: Listener }
  /** Called once the answer is computed; its client may read it later. */
  readonly answered: (request: IncomingMessage) => void
}

type Clock = {
  readonly now: () => Ms
  /** How long this thread has computed. */
  readonly activeMs: () => Ms
  readonly after: (run: () => void, ms: Ms) => void
}

const SYSTEM: Clock = {
  now: () => performance.now(),
  activeMs: () => performance.eventLoopUtilization().active,
  after: (run, ms) => void runAfter(run, ms).unref(),
}

/**
 * Returns a function that returns how far the computing time, counted while `isCounting`, exceeds its share of the elapsed time. Call it
 * before `isCounting` changes.
 */
function createAccount({ now, activeMs }: Clock, isCounting: () => boolean): () => Ms {
  let usedMs: Ms = 0
  let seen = { at: now(), activeMs: activeMs() }
  return () => {
    const current = { at: now(), activeMs: activeMs() }
    if (isCounting()) usedMs += current.activeMs - seen.activeMs
    const most = AHEAD_MS + LONGEST_PAUSE_MS * SHARE
    usedMs = Math.min(most, Math.max(0, usedMs - (current.at - seen.at) * SHARE))
    seen = current
    return usedMs
  }
}

/**
 * Limits the cost of requests without a valid token: the time that this thread computes while at least one of them is unanswered. Requests
 * with a valid token bypass this queue.
 */
export function createStrangerQueue(handle: Listener, clock: Clock = SYSTEM): StrangerQueue {
  const waiting: { readonly [lane in Lane]: Parameters<Listener>[] } = { first: [], other: [] }
  const unanswered = new Set<IncomingMessage>()
  const usedMs = createAccount(clock, () => unanswered.size > 0)
  let isPausing = false

  function next(): Parameters<Listener> | undefined {
    for (const lane of ['first', 'other'] as const) {
      const visit = unanswered.size < MOST_UNANSWERED[lane] ? waiting[lane].shift() : undefined
      if (visit !== undefined) return visit
    }
    return undefined
  }

  function passWaiting(): void {
    let used = usedMs()
    while (used < AHEAD_MS) {
      const visit = next()
      if (visit === undefined) return
      const [request, response] = visit
      // Skip a client that has disconnected.
      if (request.socket.destroyed) continue
      unanswered.add(request)
      for (const end of ['close', STREAM_BEGUN]) response.once(end, () => release(request))
      handle(request, response)
      used = usedMs()
    }
    if (isPausing || waiting.first.length + waiting.other.length === 0) return
    isPausing = true
    clock.after(
      () => {
        isPausing = false
        passWaiting()
      },
      Math.max(1, (used - AHEAD_MS) / SHARE),
    )
  }

  function release(request: IncomingMessage): void {
    usedMs()
    if (unanswered.delete(request)) passWaiting()
  }

  const enter =
    (lane: Lane): Listener =>
    (request, response) => {
      if (waiting[lane].length >= MOST_WAITING) throw new Refusal(429, 'too-many', TOO_MANY, 1)
      waiting[lane].push([request, response])
      passWaiting()
    }

  return {
    enter: { first: enter('first'), other: enter('other') },
    // In a later turn, so that writing the answer is counted too.
    answered(request) {
      if (unanswered.has(request)) clock.after(() => release(request), 0)
    },
  }
}
