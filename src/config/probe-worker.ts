import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../base/invariant.ts'
import { ok } from '../base/result.ts'
import type { ProbeAnswer, ProbeOrder } from './probe-strategy.ts'
import { tryStrategy } from './try-strategy.ts'

// The worker of probe-strategy.ts: one order, one answer.
invariant(parentPort !== null, 'the probe runs in a worker')
const order = workerData as ProbeOrder
const tried = await tryStrategy(order.wish, order.options)
const answer: ProbeAnswer = tried.ok ? ok(null) : tried
parentPort.postMessage(answer)
