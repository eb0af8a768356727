import { parentPort } from 'node:worker_threads'
import { invariant } from '../../../base/result.ts'
import type { OwnerOpening } from '../../../base/threads/shared-thread.ts'
import { serveTape } from './serve-tape.ts'
import type { TapeWriterInit } from './writer.ts'

// The thread that writes tapes, each over its own port.
invariant(parentPort !== null, 'the tape worker must run in a separate thread')
parentPort.on('message', ({ init, port }: OwnerOpening<TapeWriterInit>) => void serveTape(port, init))
