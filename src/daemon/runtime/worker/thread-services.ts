import { createJournalThread, type JournalThread } from '../../../store/journal/open-store.ts'
import { createTapeThread, type TapeThread } from '../../../store/tape/writer/writer.ts'
import { type LogOptions, openLogFile } from '../../telemetry/log/log.ts'
import { createHeartbeat, type Heartbeat } from '../position/hang-watch.ts'
import type { WorkerInit } from './messages.ts'

/** The services that the positions of one worker share. */
export type ThreadServices = {
  readonly version: string
  /** The position's own side of the worker's heartbeat. */
  readonly heartbeat: () => Heartbeat
  readonly journal: JournalThread
  /** Starts with the first position that records. */
  readonly tapes: TapeThread
  /** Returns the writer of a log file, which all positions that log to it share. */
  readonly logTo: (file: string | null) => LogTarget
}

/** Returns the shared services for the position of a slot. */
export type ServicesOfSlot = (slot: number) => ThreadServices

type LogTarget = NonNullable<LogOptions['to']>

const STDOUT = 1

export function createThreadServices({ version, heartbeat }: WorkerInit): ServicesOfSlot {
  const journal = createJournalThread()
  const tapes = createTapeThread()
  const targets = new Map<string, LogTarget>()

  /** The start has already opened the file; if a restart cannot, the log goes to standard output. */
  function logTo(file: string | null): LogTarget {
    if (file === null) return STDOUT
    const known = targets.get(file)
    if (known !== undefined) return known
    const opened = openLogFile(file)
    if (!opened.ok) return STDOUT
    targets.set(file, opened.value)
    return opened.value
  }

  return (slot) => ({
    version,
    heartbeat: () => createHeartbeat(heartbeat, slot),
    journal,
    tapes,
    logTo,
  })
}
