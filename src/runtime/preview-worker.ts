import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../base/invariant.ts'
import { previewOutcome } from './preview-outcome.ts'
import type { PreviewOrder } from './preview-changes.ts'

// The thread of preview-changes.ts: one order, one answer.
invariant(parentPort !== null, 'a preview runs in a thread of its own')
parentPort.postMessage(await previewOutcome(workerData as PreviewOrder))
