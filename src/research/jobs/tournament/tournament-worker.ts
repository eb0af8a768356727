import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../../../base/result.ts'
import { serveTournament } from '../../tournament/job.ts'
import { UNWATCHED, watchStrategies } from '../apart/watch-strategy.ts'
import { createParticipantMaker } from './participants.ts'

invariant(parentPort !== null, 'a tournament worker runs in a thread')
const watch = workerData instanceof SharedArrayBuffer ? watchStrategies(workerData) : UNWATCHED
serveTournament(parentPort, createParticipantMaker(watch))
