import { err, ok, type Result } from '../../base/result.ts'
import { whenAborted } from '../../base/threads/timing.ts'

/** The threads of this process that run the parts of a batch. */
export type Hands<Kept> = {
  /** Number of parts that run concurrently. */
  readonly size: number
  /** Runs a part. An error ends the batch everywhere: it names the part and the reason. */
  readonly run: (part: number) => Promise<Result<Kept, string>>
}

/** Progress of some work, in parts. */
export type WorkProgress = {
  readonly done: number
  readonly total: number
  /** Parts that were complete before this run. */
  readonly before: number
}

/** Work that is complete, or that stopped at the signal and can be resumed. */
export type WorkEnd<Complete> =
  | ({ readonly kind: 'complete' } & Complete)
  | { readonly kind: 'left'; readonly progress: WorkProgress }

/**
 * Runs parts in this process in order and passes on each result as it arrives. Stops at the first error, or at
 * `signal` without waiting for running parts.
 */
export async function runHere<Kept>(
  parts: readonly number[],
  { size, run }: Hands<Kept>,
  take: (result: Kept) => void,
  signal: AbortSignal,
): Promise<Result<null, string>> {
  const queue = parts.values()
  let failure: string | null = null
  const lane = async (): Promise<void> => {
    for (const part of queue) {
      const answer = await run(part)
      if (signal.aborted || failure !== null) return
      if (answer.ok) take(answer.value)
      else failure = answer.error
    }
  }
  await Promise.race([Promise.all(Array.from({ length: size }, lane)), whenAborted(signal)])
  return failure === null ? ok(null) : err(failure)
}
