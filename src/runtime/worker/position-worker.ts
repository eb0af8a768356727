import { parentPort, workerData } from 'node:worker_threads'
import type { NumberedCall } from '../../threads/calls.ts'
import type { PositionCall, WorkerInit, WorkerMessage } from './messages.ts'
import { startWorkerPosition } from './start-position.ts'

// The worker of one position: calls in, answers and messages out; everything else is in start-position.ts.
const port = parentPort
if (port === null) throw new Error('this file is started as a worker by the supervisor')

const send = (message: WorkerMessage) => port.postMessage(message)
const position = await startWorkerPosition(workerData as WorkerInit, {
  fatal: (exitCode, message) => send({ type: 'fatal', exitCode, message }),
  onSet: (set) => send({ type: 'set', set }),
  notify: (notice) => send({ type: 'notice', notice }),
})
if (position !== null) {
  port.on('message', ({ id, call }: NumberedCall<PositionCall>) => {
    void position.answer(call).then((answer) => send({ type: 'answer', id, answer }))
  })
  send({ type: 'running' })
}
