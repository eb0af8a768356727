import { parentPort, workerData } from 'node:worker_threads'
import { invariant, ok } from '../../base/result.ts'
import { loadStrategy } from './load-strategy.ts'
import type { ProbeAnswer, ProbeOrder } from './probe-strategy.ts'
import { tryStrategy } from './try-strategy.ts'

// The worker of probe-strategy.ts: one order, one answer.
invariant(parentPort !== null, 'the probe runs in a worker')
const order = workerData as ProbeOrder
const tried = await (order.asks ? tryStrategy : loadStrategy)(order.wish, order.options)
const answer: ProbeAnswer = tried.ok
  ? ok({
      params: tried.value.strategy.params,
      sourceHash: tried.value.strategy.sourceHash,
      sources: tried.value.sources,
    })
  : tried
parentPort.postMessage(answer)
