import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../../base/result.ts'
import type { JournalInit } from './messages.ts'
import { serveJournal } from './serve-journal.ts'

invariant(parentPort !== null, 'the journal worker runs in a thread of its own')
await serveJournal(parentPort, workerData as JournalInit)
