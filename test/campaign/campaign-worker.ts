import { parentPort } from 'node:worker_threads'
import { ok } from '../../src/base/result.ts'
import type { Unit } from './plan.ts'
import { runUnit } from './run-unit.ts'

// One thread of a campaign: a unit at a time.
parentPort?.on('message', (unit: Unit) => {
  void runUnit(unit).then((result) => parentPort?.postMessage(ok(result)))
})
