import { parentPort } from 'node:worker_threads'
import { serveVariants } from '../../../../src/research/sweep/variant-job.ts'
import { fakeVariant } from './fake-variant.ts'

if (parentPort !== null) serveVariants(parentPort, fakeVariant)
