import { Worker } from 'node:worker_threads'
import { errorText } from '../../base/error-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { TapeProblem } from '../model/batch.ts'
import { createTapeLink, type TapeWriterInit, type TapeReply } from './link.ts'
import type { TapeRow } from '../model/row.ts'

/** The end of a tape that is written to while things happen. After a failure nothing is written any more. */
export type TapeWriter = {
  /** Costs about a microsecond; rows may come in any order and are sorted within their period. */
  readonly append: (row: TapeRow) => void
  /** Resolves when everything appended before is on disk, or has failed. */
  readonly flush: () => Promise<void>
  /** Resolves when everything is Parquet, or has failed, and the folder is free for another writer. */
  readonly close: () => Promise<void>
  /** Hears once why nothing is recorded any more; who asks late hears of it too. */
  readonly onFailure: (listener: (message: string) => void) => void
  /** What a writer that was killed before had left unreadable; its rows are not on the tape. */
  readonly recovered: readonly TapeProblem[]
}

export type TapeWriting = {
  /** How long rows go to one set of Parquet files. */
  readonly rotateMs: Ms
}

/**
 * Opens the tape in `folder` for writing, makes it if there is none, and holds it until `close` or the end of
 * the process. Rows are written as text within a second (docs/tapes.md) and become Parquet files after
 * `rotateMs`, at midnight UTC, and on `close`; after kill -9 the next writer makes them from the text. The
 * error says who or what is in the way.
 */
export async function openTapeWriter(
  folder: string,
  { rotateMs }: TapeWriting,
): Promise<Result<TapeWriter, string>> {
  const birth: TapeWriterInit = { folder, rotateMs }
  const worker = new Worker(workerUrl(), { workerData: birth, name: 'tape' })
  const opened = await firstReply(worker, folder)
  if (!opened.ok) {
    await worker.terminate()
    return opened
  }
  const link = createTapeLink({ send: worker.postMessage.bind(worker), on: worker.on.bind(worker) }, folder)
  return ok({ ...link, recovered: opened.value })
}

/** `.ts` in a checkout; in a bundle the worker is built beside the file that holds this function. */
function workerUrl(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./tape-worker.ts', import.meta.url)
    : new URL('./tape-worker.js', import.meta.url)
}

function firstReply(worker: Worker, folder: string): Promise<Result<readonly TapeProblem[], string>> {
  return new Promise((resolve) => {
    const dead = (error: unknown): void =>
      resolve(err(`${folder}: the tape's thread died: ${errorText(error)}`))
    const ended = (): void => dead(new Error('it ended before it had opened the tape'))
    worker.once('error', dead)
    worker.once('exit', ended)
    worker.once('message', (reply: TapeReply) => {
      worker.off('error', dead)
      worker.off('exit', ended)
      if (reply.type === 'opened') resolve(ok(reply.recovered))
      else if (reply.type === 'refused') resolve(err(reply.message))
      else dead(new Error(`it began with '${reply.type}'`))
    })
  })
}
