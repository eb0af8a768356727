import { err, errorText, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { TapeProblem } from '../model/batch.ts'
import type { TapeRow } from '../model/row.ts'
import { firstMessage, type NoMessage, workerUrl } from '../../../base/threads/first-message.ts'
import { createThreadLink, type FromThread, type ToThread } from '../../../base/threads/link.ts'
import { createSharedThread, type SharedThread } from '../../../base/threads/shared-thread.ts'

/** The start data of a tape in the thread that writes tapes. */
export type TapeWriterInit = { readonly folder: string; readonly rotateMs: Ms }

export type TapeMessage = ToThread<TapeRow, 'flush'>

/** From the thread; the first one is `opened` or `refused`. */
export type TapeReply =
  | { readonly type: 'opened'; readonly recovered: readonly TapeProblem[] }
  | { readonly type: 'refused'; readonly message: string }
  | FromThread<'flushed', string>

/** The owner's end of a tape that is recorded live. After a failure nothing is written. */
export type TapeWriter = {
  /** Costs about a microsecond; rows may come in any order and are sorted within their period. */
  readonly append: (row: TapeRow) => void
  /** Resolves when everything appended before is on disk, or has failed. */
  readonly flush: () => Promise<void>
  /** Resolves when everything is Parquet, or has failed, and the folder is free for another writer. */
  readonly close: () => Promise<void>
  /** Receives once why recording stopped, even if it subscribes late. */
  readonly onFailure: (listener: (message: string) => void) => void
  /** The unreadable rows that a killed writer left; they are not on the tape. */
  readonly recovered: readonly TapeProblem[]
}

type TapeWriting = {
  /** How long rows go to one set of Parquet files. */
  readonly rotateMs: Ms
  /** The thread that also writes other tapes; absent = a separate thread that ends with the tape. */
  readonly thread?: TapeThread
}

const WORKER = workerUrl(import.meta.url, './tape-worker')

/** A thread that writes any number of tapes; a failure of one ends only that one. */
export type TapeThread = SharedThread<TapeWriterInit, TapeMessage>

export function createTapeThread(): TapeThread {
  return createSharedThread(WORKER, { name: 'tape' })
}

/**
 * Opens the tape in `folder` for writing, creates it if missing, and holds it until `close` or the end of the process.
 * Rows are on disk as text within a second (docs/tapes.md) and become Parquet files after `rotateMs`, at midnight UTC,
 * and on `close`; after kill -9 the next writer converts the text. The error names the obstacle.
 */
export async function openTapeWriter(
  folder: string,
  { rotateMs, thread }: TapeWriting,
): Promise<Result<TapeWriter, string>> {
  if (thread !== undefined) return openIn(thread, { folder, rotateMs })
  const own = createTapeThread()
  const opened = await openIn(own, { folder, rotateMs })
  if (!opened.ok) {
    await own.close()
    return opened
  }
  const { close } = opened.value
  return ok({ ...opened.value, close: () => close().then(async () => void (await own.close())) })
}

async function openIn(thread: TapeThread, init: TapeWriterInit): Promise<Result<TapeWriter, string>> {
  const threadFailure = (how: string): string =>
    `${init.folder}: the tape's thread ${how}; recording has stopped`
  const port = thread.open(init)
  const opened = openedWith(await firstMessage<TapeReply>(port), threadFailure)
  if (!opened.ok) return opened
  const link = createThreadLink<TapeRow, 'flush', 'flushed', string>(port, threadFailure)
  return ok({
    append: link.post,
    flush: async () => void (await link.ask('flush')),
    close: link.close,
    onFailure: link.onFailure,
    recovered: opened.value,
  })
}

function openedWith(
  first: Result<TapeReply, NoMessage>,
  threadFailure: (how: string) => string,
): Result<readonly TapeProblem[], string> {
  if (!first.ok) {
    const { error } = first
    return err(
      threadFailure(
        error.how === 'threw' ? `died: ${errorText(error.error)}` : 'ended before it had opened the tape',
      ),
    )
  }
  const reply = first.value
  if (reply.type === 'opened') return ok(reply.recovered)
  if (reply.type === 'refused') return err(reply.message)
  return err(threadFailure(`began with '${reply.type}'`))
}
