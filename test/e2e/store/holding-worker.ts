import { parentPort, workerData } from 'node:worker_threads'
import { openStore } from '../../../src/store/journal/open-store.ts'

/** A position's worker that holds a store and then does nothing but live. */
const opened = await openStore(workerData as string)
if (opened.ok) {
  opened.value.append(1, { type: 'tick', t: 1 })
  opened.value.onDurable(() => parentPort?.postMessage('held'))
} else {
  parentPort?.postMessage(opened.error.message)
}
