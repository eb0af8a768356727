import { parentPort, workerData } from 'node:worker_threads'
import { ok } from '../../src/base/result.ts'
import type { Unit } from './plan.ts'
import { runUnit } from './run-unit.ts'
import { underWay } from './unit-limit.ts'

let units = 0

// One thread of a campaign: a unit at a time.
parentPort?.on('message', (unit: Unit) => {
  units += 1
  const done = underWay(workerData as SharedArrayBuffer | null, units)
  void runUnit(unit).then((result) => {
    done()
    parentPort?.postMessage(ok(result))
  })
})
