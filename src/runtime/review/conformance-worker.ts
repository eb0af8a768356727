import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../../base/result.ts'
import { type ConformanceJob, learnSince } from './learn-venue.ts'

// The thread that reads a day of the journal: trading does not wait for it.

const port = parentPort
invariant(port !== null, 'a daemon learns what its venue does in a thread of its own')
port.postMessage(learnSince(workerData as ConformanceJob))
