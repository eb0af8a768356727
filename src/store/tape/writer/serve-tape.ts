import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { errorText } from '../../../base/result.ts'
import { SECOND_MS } from '../../../base/time.ts'
import { takeFileLock } from '../../../base/lock/file-lock.ts'
import type { TapeWriterInit, TapeMessage, TapeReply } from './writer.ts'
import { openTapeRecorder, type TapeRecorder } from './tape-recorder.ts'
import { runEvery } from '../../../base/threads/timing.ts'

const LOCK_FILE = 'writer.lock'

/**
 * Writes a tape as the messages of `port` request: rows into the text of the open period at once, the text to disk
 * every second, and a period into Parquet when it ends and at close. Replies `refused` if the folder cannot be written,
 * and `failed` once if that happens later; it then stops writing.
 */
export async function serveTape(port: MessagePort, { folder, rotateMs }: TapeWriterInit): Promise<void> {
  const reply = (message: TapeReply): void => port.postMessage(message)
  let failed = false
  const fail = (error: unknown): void => {
    if (failed) return
    failed = true
    reply({ type: 'failed', failure: `${folder}: ${errorText(error)}; recording has stopped` })
  }
  const opened = await openLocked(folder, rotateMs, fail)
  if (typeof opened === 'string') {
    reply({ type: 'refused', message: opened })
    port.close()
    return
  }
  const { recorder, release } = opened
  const attempt = (task: () => void): void => {
    if (failed) return
    try {
      task()
    } catch (error) {
      fail(error)
    }
  }
  const ticking = runEvery(() => attempt(() => recorder.tick(Date.now())), SECOND_MS)
  port.on('message', (message: TapeMessage) => {
    if (!('type' in message)) {
      attempt(() => recorder.write(message, Date.now()))
    } else if (message.type === 'call') {
      attempt(() => recorder.sync())
      reply({ type: 'answer', id: message.id, answer: 'flushed' })
    } else {
      clearInterval(ticking)
      void close()
    }
  })
  reply({ type: 'opened', recovered: recorder.recovered })

  async function close(): Promise<void> {
    if (!failed) await recorder.finish().catch(fail)
    release()
    reply({ type: 'closed' })
    port.close()
  }
}

type Opened = { readonly recorder: TapeRecorder; readonly release: () => void }

/** Returns the recorder and its lock, or why they could not be opened. */
async function openLocked(
  folder: string,
  rotateMs: number,
  onFailure: (error: unknown) => void,
): Promise<Opened | string> {
  let release = (): void => undefined
  try {
    mkdirSync(folder, { recursive: true })
    const lock = takeFileLock(join(folder, LOCK_FILE))
    if (!lock.ok) return `${folder} is being written by another process: a tape has one writer at a time`
    release = lock.value.release
    return { recorder: await openTapeRecorder(folder, rotateMs, Date.now(), onFailure), release }
  } catch (error) {
    release()
    return `${folder} cannot be written: ${errorText(error)}`
  }
}
