import { Worker } from 'node:worker_threads'
import { errorText } from '../../base/result.ts'
import { workerUrl } from '../../threads/first-message.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { exitWhenPipeCloses, fail } from '../output/print.ts'
import type { ApartCommand, ApartOptions } from './apart-commands.ts'
import { HANGS } from './hang.ts'

/** Plain data for the thread: which command, its options, where calls are shown, and what stdout and stderr are. */
export type ApartOrder<Name extends ApartCommand = ApartCommand> = {
  readonly command: Name
  readonly options: ApartOptions[Name]
  readonly buffer: SharedArrayBuffer
  readonly terminals: Readonly<Record<'stdout' | 'stderr', Terminal>>
}

/** Both are absent where it is no terminal. */
type Terminal = Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>

/**
 * Runs a command in a thread of its own, so that a strategy that loops can be ended: exit code 1 and a sentence. What the
 * thread writes is written here, and its exit code is that of the process.
 */
export async function runApart<Name extends ApartCommand>(
  command: Name,
  options: ApartOptions[Name],
  hangs = HANGS,
): Promise<void> {
  exitWhenPipeCloses()
  const buffer = new SharedArrayBuffer(hangs.bytes)
  const terminals = { stdout: terminalOf(process.stdout), stderr: terminalOf(process.stderr) }
  const order: ApartOrder<Name> = { command, options, buffer, terminals }
  const worker = new Worker(workerUrl(import.meta.url, './apart-worker'), {
    workerData: order,
    stdout: true,
    stderr: true,
  })
  const ended = [passOn(worker.stdout, process.stdout), passOn(worker.stderr, process.stderr)]
  let failure: string | null = null
  const close = hangs.watch(buffer, (why) => {
    failure = why
    void worker.terminate()
  })
  worker.on('error', (thrown: unknown) => {
    failure ??= `the run broke: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : errorText(thrown)}`
  })
  const exitCode = await new Promise<number>((resolve) => {
    worker.once('exit', resolve)
  })
  close()
  await Promise.all(ended)
  if (failure === null) process.exitCode = exitCode
  else fail(options, EXIT_CODE.failed, failure)
}

function terminalOf({ isTTY, columns }: NodeJS.WriteStream): Terminal {
  return { isTTY, columns }
}

/** Until the thread has nothing more to write. */
function passOn(from: NodeJS.ReadableStream, to: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    from.on('data', (chunk: Buffer) => to.write(chunk))
    from.once('end', resolve)
    from.once('close', resolve)
  })
}
