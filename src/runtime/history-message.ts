import type { Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import type { FillsQuery, HistoryQuery, NoticesQuery, ReadFailure } from '../console/position-port.ts'

/** What the thread that reads the stores is asked. `now`: time is data there too. */
export type HistoryCall = { readonly folder: string; readonly now: Ms } & (
  | { readonly what: 'history'; readonly query: HistoryQuery }
  | { readonly what: 'fills'; readonly query: FillsQuery }
  | { readonly what: 'notices'; readonly query: NoticesQuery }
)

export type HistoryMessage = { readonly id: number; readonly call: HistoryCall }
export type HistoryReply = { readonly id: number; readonly answer: Result<unknown, ReadFailure> }
