import { Worker, type WorkerOptions } from 'node:worker_threads'
import { errorText } from '../../base/result.ts'
import { SECOND_MS, type Ms } from '../../base/time.ts'
import { endThread } from '../../base/threads/end-thread.ts'
import { workerUrl } from '../../base/threads/first-message.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { exitWhenPipeCloses, fail } from '../output/print.ts'
import { repeatUntilSignal } from '../repeat.ts'
import type { ApartCommand, ApartOptions } from '../apart-commands.ts'
import { HANGS } from '../../research/jobs/apart/hang.ts'

/** Plain data for the thread: the command, its options, the shared memory for calls, and the kind of stdout and stderr. */
export type ApartOrder<Name extends ApartCommand = ApartCommand> = {
  readonly command: Name
  readonly options: ApartOptions[Name]
  readonly buffer: SharedArrayBuffer
  readonly terminals: Readonly<Record<'stdout' | 'stderr', Terminal>>
}

/** Both are absent if it is not a terminal. */
type Terminal = Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>

/**
 * Runs a command in a separate thread, so that a looping strategy can be ended: exit code 1 and a message. The thread's
 * output is printed here, and its exit code becomes that of the process.
 */
export async function runApart<Name extends ApartCommand>(
  command: Name,
  options: ApartOptions[Name],
  hangs = HANGS,
): Promise<void> {
  exitWhenPipeCloses()
  const terminals = { stdout: terminalOf(process.stdout), stderr: terminalOf(process.stderr) }
  const { exitCode, failure } = await inThread({
    command,
    options,
    terminals,
    hangs,
    read: ({ stdout, stderr }) => [passOn(stdout, process.stdout), passOn(stderr, process.stderr)],
  })
  if (failure === null) process.exitCode = exitCode
  else fail(options, EXIT_CODE.failed, failure)
}

/** Runs it once or, with `every`, repeatedly, each time in a new thread. */
export function repeatApart<Name extends ApartCommand>(
  command: Name,
  options: ApartOptions[Name] & { readonly every?: Ms },
): Promise<void> {
  return repeatUntilSignal(options.every, () => runApart(command, options))
}

type InThread<Name extends ApartCommand> = Pick<ApartOrder<Name>, 'command' | 'options' | 'terminals'> & {
  readonly hangs: typeof HANGS
  /** Reads the thread's output; each promise resolves at the end of its stream. */
  readonly read: (worker: Worker) => readonly Promise<void>[]
  readonly limits?: Pick<WorkerOptions, 'env' | 'resourceLimits'>
  /** Ends the thread after this time; absent = no limit. */
  readonly withinMs?: Ms
}

/** Runs a command in a separate thread and resolves when the thread has ended and all its output was read. */
export async function inThread<Name extends ApartCommand>({
  command,
  options,
  terminals,
  hangs,
  read,
  limits,
  withinMs,
}: InThread<Name>): Promise<{ readonly exitCode: number; readonly failure: string | null }> {
  const buffer = new SharedArrayBuffer(hangs.bytes)
  const order: ApartOrder<Name> = { command, options, buffer, terminals }
  const worker = new Worker(workerUrl(import.meta.url, './apart-worker'), {
    ...limits,
    workerData: order,
    stdout: true,
    stderr: true,
  })
  let failure: string | null = null
  const exited = Promise.withResolvers<number>()
  let output: Promise<unknown> = Promise.all(read(worker))
  const end = (why: string): void => {
    failure ??= why
    void endThread(worker).then((hasEnded) => {
      if (hasEnded) return
      output = Promise.resolve()
      exited.resolve(EXIT_CODE.failed)
    })
  }
  const close = hangs.watch(buffer, end)
  const timer =
    withinMs === undefined
      ? undefined
      : setTimeout(end, withinMs, `it did not end within ${withinMs / SECOND_MS} s`)
  worker.on('error', (thrown: unknown) => {
    failure ??= isOutOfMemory(thrown)
      ? FULL
      : `the run broke: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : errorText(thrown)}`
  })
  worker.once('exit', exited.resolve)
  const exitCode = await exited.promise
  clearTimeout(timer)
  close()
  await output
  return { exitCode, failure }
}

const FULL =
  "the run filled the memory of its thread: look in the strategy's file for a list or map that grows with every call"

function isOutOfMemory(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function terminalOf({ isTTY, columns }: NodeJS.WriteStream): Terminal {
  return { isTTY, columns }
}

/** Resolves at the end of the thread's output. */
function passOn(from: NodeJS.ReadableStream, to: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    from.on('data', (chunk: Buffer) => to.write(chunk))
    from.once('end', resolve)
    from.once('close', resolve)
  })
}
