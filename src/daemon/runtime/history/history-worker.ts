import { parentPort } from 'node:worker_threads'
import { invariant } from '../../../base/result.ts'
import type { NumberedCall } from '../../../base/threads/calls.ts'
import { createHistoryReader } from './reader-cache.ts'
import type { HistoryCall } from './history-service.ts'

// The thread that reads stores for charts and lists, so trading and HTTP never wait for a disk.
const port = parentPort
invariant(port !== null, 'stores are read in a separate thread')
const answerOf = createHistoryReader()
port.on('message', ({ id, call }: NumberedCall<HistoryCall>) => {
  port.postMessage({ type: 'answer', id, answer: answerOf(call) })
})
