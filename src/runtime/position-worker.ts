import { parentPort, workerData } from 'node:worker_threads'
import { startWorkerPosition } from './worker/start-position.ts'
import type { WorkerInit, WorkerCall, WorkerMessage } from './worker/messages.ts'

/** The worker of one position: its messages in, its answers out; everything else is in worker-position. */
const port = parentPort
if (port === null) throw new Error('this file is started as a worker by the supervisor')

const send = (message: WorkerMessage) => port.postMessage(message)
const position = await startWorkerPosition(
  workerData as WorkerInit,
  (exitCode, message) => send({ type: 'fatal', exitCode, message }),
  (set) => send({ type: 'set', set }),
  (notice) => send({ type: 'notice', notice }),
)
if (position !== null) {
  port.on('message', (call: WorkerCall) => {
    void position.answer(call).then((value) => send({ type: 'answer', id: call.id, value }))
  })
  send({ type: 'running' })
}
