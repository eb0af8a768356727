import { parentPort, threadId, workerData } from 'node:worker_threads'
import { invariant, stackText } from '../../../base/result.ts'
import { onStrategyWait } from '../../confinement/strategy-process.ts'
import { createThreadMetrics } from '../../telemetry/metrics/event-loop-delay.ts'
import { onTimerFault } from '../../../base/threads/timing.ts'
import { recordWaiting } from '../position/hang-watch.ts'
import type { ToWorker, WorkerInit, WorkerMessage } from './messages.ts'
import { createThreadServices } from './thread-services.ts'
import { createPositionSlots } from './position-slots.ts'

// Entry point of a worker with one or more positions: receives calls, sends answers and messages. The rest is in position-slots.ts.
const port = parentPort
invariant(port !== null, 'positions run in a thread that the supervisor starts')
const init = workerData as WorkerInit
if (init.withChain) {
  // Load viem first: it can no longer be loaded once a strategy has locked the thread down.
  await Promise.all([import('../effects/custody.ts'), import('../../../custody/chain/watch-wallet.ts')])
}
const send = (message: WorkerMessage) => port.postMessage(message)
onTimerFault((error) => send({ type: 'fault', text: stackText(error) }))
onStrategyWait(recordWaiting(init.heartbeat))
const positions = createPositionSlots({
  servicesOf: createThreadServices(init),
  threadMetrics: createThreadMetrics(`worker-${threadId}`),
  send: (slot, message) => send({ type: 'position', slot, message }),
})
port.on('message', (message: ToWorker) => {
  if (message.type === 'start') return positions.start(message.slot, message.init)
  if (message.type === 'drop') return positions.drop(message.slot)
  const { id, call } = message
  void positions.answer(call).then((answer) => send({ type: 'answer', id, answer }))
})
