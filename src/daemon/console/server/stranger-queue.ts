import type { IncomingMessage, ServerResponse } from 'node:http'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import { runAfter } from '../../../base/threads/timing.ts'
import { Refusal } from '../refusal.ts'

/** The part of this thread's time that requests without a right token may use, and how much of it they may use ahead. */
const SHARE = 0.25
const AHEAD_MS: Ms = 100
/** The longest wait of the next request for its share, however busy this thread is with other work. */
const LONGEST_PAUSE_MS: Ms = SECOND_MS
/** A request's cost is known once it is answered, so only a few may be unanswered: reads that wait for a position leave room for health. */
const MOST_UNANSWERED = { first: 8, other: 4 } as const
const MOST_WAITING = 512
const TOO_MANY = 'too many requests without a token wait; try again in 1 s, or bring the token'

/** Emitted by a response that continues as a stream: it counts as answered, and what follows has bounds of its own. */
export const STREAM_BEGUN = 'streamBegun'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** `first`: health and the proof of the command line, which pass the others. */
type Lane = keyof typeof MOST_UNANSWERED

type StrangerQueue = {
  /** Handles a request now or in its turn. Throws a Refusal where too many wait. */
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

/** Returns how much was computed while `isCounting` and is not yet paid for by the time that has passed. Asked before `isCounting` changes. */
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
 * Bounds what requests without a right token cost: the time that this thread computes while at least one of them is unanswered. Requests
 * with a token do not come here and pass all that wait.
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
      // A client that is gone costs nothing.
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
