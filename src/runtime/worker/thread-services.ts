import { createJournalThread, type JournalThread } from '../../store/journal/open-store.ts'
import { createTapeThread, type TapeThread } from '../../tape/writer/writer.ts'
import { openLogFile } from '../../telemetry/log/log.ts'
import { createReviewThreads, type ReviewThreads } from '../review/review-thread.ts'
import { createHeartbeat, type Heartbeat } from '../position/heartbeat.ts'
import type { WorkerInit } from './messages.ts'

/** What the positions of one worker share, as one of them sees it. */
export type ThreadServices = {
  readonly version: string
  /** The position's own side of the worker's heartbeat. */
  readonly heartbeat: () => Heartbeat
  readonly journal: JournalThread
  /** Starts with the first position that records. */
  readonly tapes: TapeThread
  /** Comparisons of its positions, one at a time. */
  readonly reviews: ReviewThreads
  /** The descriptor of a log file: one for all who log to it. */
  readonly logTo: (file: string | null) => number
}

/** Gives each position, by its slot, what it shares with the others of its worker. */
export type ServicesOfSlot = (slot: number) => ThreadServices

const STDOUT = 1

export function createThreadServices({ version, heartbeat }: WorkerInit): ServicesOfSlot {
  const journal = createJournalThread()
  const tapes = createTapeThread()
  const reviews = createReviewThreads()
  const descriptors = new Map<string, number>()

  /** The start has opened the file already; where a restart cannot, the log goes to standard output. */
  function logTo(file: string | null): number {
    if (file === null) return STDOUT
    const known = descriptors.get(file)
    if (known !== undefined) return known
    const opened = openLogFile(file)
    if (!opened.ok) return STDOUT
    descriptors.set(file, opened.value)
    return opened.value
  }

  return (slot) => ({
    version,
    heartbeat: () => createHeartbeat(heartbeat, slot),
    journal,
    tapes,
    reviews,
    logTo,
  })
}
