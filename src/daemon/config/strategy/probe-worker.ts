import { parentPort } from 'node:worker_threads'
import { invariant, ok } from '../../../base/result.ts'
import { endProcesses } from '../../confinement/evaluate-apart.ts'
import { loadStrategy } from './load-strategy.ts'
import type { ProbeAnswer, ProbeOrder } from './probe-strategy.ts'
import { tryStrategy } from './try-strategy.ts'

// The worker of probe-strategy.ts: answers requests one by one, and ends when it is asked to.
const port = parentPort
invariant(port !== null, 'the probe runs in a worker')

async function answerTo({ wish, options, asks }: ProbeOrder): Promise<ProbeAnswer> {
  const tried = await (asks ? tryStrategy : loadStrategy)(wish, options)
  if (!tried.ok) return tried
  const { strategy, sources } = tried.value
  const { params, sourceHash, quotesNothing } = strategy
  return ok({ params, sourceHash, sources, ...(quotesNothing === undefined ? {} : { quotesNothing }) })
}

port.on('message', (order: ProbeOrder | 'end') => {
  if (order === 'end') void endProcesses().then(() => port.close())
  else void answerTo(order).then((answer) => port.postMessage(answer))
})
