import { workerData } from 'node:worker_threads'
import { createAnswerer } from './answer.ts'
import type { AskInit, ReadQuestion } from './ask.ts'

// The thread that queries PostgreSQL for a waiting caller. Both ends of a query are in this process.
const { port, bell } = workerData as AskInit
const { answer } = createAnswerer()

port.on('message', (question: ReadQuestion) => {
  void answer(question).then((answered) => {
    port.postMessage(answered)
    Atomics.add(bell, 0, 1)
    Atomics.notify(bell, 0)
  })
})
