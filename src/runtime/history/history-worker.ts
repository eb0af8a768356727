import { parentPort } from 'node:worker_threads'
import { invariant } from '../../base/invariant.ts'
import { createHistoryReaderCache } from './reader-cache.ts'
import type { HistoryMessage, HistoryReply } from './service.ts'

// The thread that reads stores for charts and lists: neither trading nor HTTP waits for a disk.
const port = parentPort
invariant(port !== null, 'stores are read in a thread of its own')
const librarian = createHistoryReaderCache()
port.on('message', ({ id, call }: HistoryMessage) => {
  const reply: HistoryReply = { id, answer: librarian.answer(call) }
  port.postMessage(reply)
})
