import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../../../base/result.ts'
import { serveVariants } from '../../sweep/variant-job.ts'
import { UNWATCHED, watchStrategies } from '../apart/watch-strategy.ts'
import { createVariantRunner } from './variant-runner.ts'

invariant(parentPort !== null, 'a sweep worker runs in a thread')
const watch = workerData instanceof SharedArrayBuffer ? watchStrategies(workerData) : UNWATCHED
serveVariants(parentPort, createVariantRunner(watch))
