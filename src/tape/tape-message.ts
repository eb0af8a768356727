import type { Ms } from '../base/time.ts'
import type { TapeProblem } from './tape-batch.ts'
import type { TapeRow } from './tape-row.ts'

/** What the thread that writes a tape is born with. */
export type TapeBirth = { readonly folder: string; readonly rotateMs: Ms }

/** To the thread; a list is rows, for they are nearly all of it. */
export type TapeMessage =
  | readonly TapeRow[]
  | { readonly type: 'flush'; readonly id: number }
  | { readonly type: 'close' }

/** From the thread: first `opened` or `refused`, last `closed`. */
export type TapeReply =
  | { readonly type: 'opened'; readonly recovered: readonly TapeProblem[] }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'flushed'; readonly id: number }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'closed' }
