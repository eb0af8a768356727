import { parentPort } from 'node:worker_threads'
import { invariant } from '../../base/result.ts'
import type { OwnerOpening } from '../../base/threads/shared-thread.ts'
import type { JournalInit } from '../journal-messages.ts'
import { serveJournal } from './serve-journal.ts'

// The thread that writes stores, each over a separate port.
invariant(parentPort !== null, 'the journal worker must run in a separate thread')
parentPort.on('message', ({ init, port }: OwnerOpening<JournalInit>) => void serveJournal(port, init))
