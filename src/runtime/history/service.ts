import { err, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type {
  FillsQuery,
  HistoryQuery,
  NoticesQuery,
  PastPort,
  ReadFailure,
} from '../../console/position-port.ts'
import { createHistoryThread } from './thread.ts'

/** What the thread that reads the stores is asked. `now`: time is data there too. */
export type HistoryCall = { readonly folder: string; readonly now: Ms } & (
  | { readonly what: 'history'; readonly query: HistoryQuery }
  | { readonly what: 'fills'; readonly query: FillsQuery }
  | { readonly what: 'notices'; readonly query: NoticesQuery }
)

export type HistoryMessage = { readonly id: number; readonly call: HistoryCall }
export type HistoryReply = { readonly id: number; readonly answer: Result<unknown, ReadFailure> }

/** The past of every position of a process, read in one thread beside trading and HTTP. */
export type HistoryService = {
  readonly pastOf: (storeFolder: string) => PastPort
  readonly close: () => Promise<void>
}

type Answer = Result<unknown, ReadFailure>
/** The last step of a call without its folder and time. */
type Asked = HistoryCall extends infer Each
  ? Each extends HistoryCall
    ? Omit<Each, 'folder' | 'now'>
    : never
  : never
type Waiting = { readonly call: HistoryCall; readonly settle: (answer: Answer) => void }

/** So many wait for one store; more would only wait longer than anybody wants to. */
const MAX_WAITING = 8
const TIME_LIMIT_MS = 5_000

/** One call at a time and store is under way, a few wait, others are told so. */
export function createHistoryService(timeLimitMs: number = TIME_LIMIT_MS): HistoryService {
  const thread = createHistoryThread(timeLimitMs)
  const queues = new Map<string, Waiting[]>()

  function ask(call: HistoryCall): Promise<Answer> {
    const queue = queues.get(call.folder) ?? []
    queues.set(call.folder, queue)
    if (queue.length > MAX_WAITING) {
      const message = `${MAX_WAITING} others wait for this position's past already; try again in a moment`
      return Promise.resolve(err({ kind: 'busy', message }))
    }
    return new Promise((settle) => {
      queue.push({ call, settle })
      if (queue.length === 1) void work(queue)
    })
  }

  async function work(queue: Waiting[]): Promise<void> {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      first.settle(await thread.ask(first.call))
      queue.shift()
    }
  }

  return {
    pastOf(folder) {
      const answer = (asked: Asked) => ask({ ...asked, folder, now: Date.now() })
      // The thread answers each question in its own shape.
      return {
        history: (query) => answer({ what: 'history', query }) as ReturnType<PastPort['history']>,
        fills: (query) => answer({ what: 'fills', query }) as ReturnType<PastPort['fills']>,
        notices: (query) => answer({ what: 'notices', query }) as ReturnType<PastPort['notices']>,
      }
    },
    close: thread.close,
  }
}
