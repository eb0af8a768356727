import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../../base/result.ts'
import { serveTape } from './serve-tape.ts'
import type { TapeWriterInit } from './writer.ts'

invariant(parentPort !== null, 'the tape worker runs in a thread of its own')
await serveTape(parentPort, workerData as TapeWriterInit)
