import { Worker } from 'node:worker_threads'
import { errorText } from '../../../base/result.ts'
import { workerUrl } from '../../../threads/first-message.ts'
import { EXIT_CODE } from '../../exit-code.ts'
import { fail, type OutputFormat } from '../../output/print.ts'
import { watchForHang } from './hang.ts'
import { WATCH_BYTES } from './watch-strategy.ts'

/** Commands that run a strategy's code for as long as a tape lasts. */
export type ApartCommand = 'backtest' | 'whatif'

/** Plain data for the thread: which command, its options, where calls are shown, and what stdout and stderr are. */
export type ApartOrder = {
  readonly command: ApartCommand
  readonly options: OutputFormat
  readonly buffer: SharedArrayBuffer
  readonly terminals: Readonly<Record<'stdout' | 'stderr', Terminal>>
}

/** Both are absent where it is no terminal. */
type Terminal = Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>

/**
 * Runs a command in a thread of its own, so that a strategy that loops can be ended: exit code 1 and a sentence. What the
 * thread writes is written here, and its exit code is that of the process.
 */
export async function runApart(command: ApartCommand, options: OutputFormat): Promise<void> {
  const buffer = new SharedArrayBuffer(WATCH_BYTES)
  const terminals = { stdout: terminalOf(process.stdout), stderr: terminalOf(process.stderr) }
  const order: ApartOrder = { command, options, buffer, terminals }
  const worker = new Worker(workerUrl(import.meta.url, './apart-worker'), {
    workerData: order,
    stdout: true,
    stderr: true,
  })
  const ended = [passOn(worker.stdout, process.stdout), passOn(worker.stderr, process.stderr)]
  let failure: string | null = null
  const close = watchForHang(buffer, (why) => {
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
