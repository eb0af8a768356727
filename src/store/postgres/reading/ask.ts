import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import type { Ms } from '../../../base/time.ts'
import { workerUrl } from '../../../base/threads/first-message.ts'
import type { Row, SqlValue } from '../../connection/connection.ts'
import { runAfter } from '../../../base/threads/timing.ts'

/** A query and its target. */
export type ReadQuestion = {
  readonly id: number
  readonly url: string
  readonly schema: string
  readonly sql: string
  readonly values: readonly SqlValue[]
  readonly withinMs: Ms
}

export type ReadAnswer = { readonly id: number } & (
  | { readonly rows: readonly Row[] }
  | { readonly failed: { readonly message: string; readonly code: string } }
)

/** The start data of the thread that queries PostgreSQL. */
export type AskInit = { readonly port: MessagePort; readonly bell: Int32Array<SharedArrayBuffer> }

const WORKER = workerUrl(import.meta.url, './postgres-query-worker')
/** The thread must start and load the client before its first answer. */
const START_MS: Ms = 5_000
/** Reconnecting takes a second at most, and PostgreSQL itself ends the query in time. */
const CONNECT_MS: Ms = 1_500

type Asking = {
  readonly worker: Worker
  readonly port: MessagePort
  readonly bell: AskInit['bell']
  /** The asynchronous callers, by the number of their query. */
  readonly later: Map<number, (answer: ReadAnswer) => void>
}

let asking: Asking | null = null
let hasAnswered = false
let lastId = 0

/**
 * Queries PostgreSQL synchronously, as a reader of SQLite waits for its disk, so that every reader has one form. A
 * helper thread, started at the first query, does the work. Throws PostgreSQL's error, or that it did not answer in
 * time. Blocks its thread, so nothing that must continue may call it.
 */
export function askPostgres(question: Omit<ReadQuestion, 'id'>): readonly Row[] {
  asking ??= start()
  const { port, bell, later } = asking
  const id = ++lastId
  const until = performance.now() + question.withinMs + (hasAnswered ? CONNECT_MS : START_MS)
  let rung = Atomics.load(bell, 0)
  port.postMessage({ ...question, id } satisfies ReadQuestion)
  for (;;) {
    const answer = receiveMessageOnPort(port)?.message as ReadAnswer | undefined
    if (answer !== undefined) hasAnswered = true
    if (answer?.id === id) return rowsOf(answer)
    if (answer !== undefined) {
      later.get(answer.id)?.(answer)
      continue
    }
    const leftMs = until - performance.now()
    if (leftMs <= 0) throw giveUp(question.withinMs)
    Atomics.wait(bell, 0, rung, leftMs)
    rung = Atomics.load(bell, 0)
  }
}

/** Starts the thread before the first query, which then need not wait for the client to load. */
export function prepareToAsk(): void {
  asking ??= start()
}

/** Asynchronous `askPostgres`. Rejects with PostgreSQL's error, or that it did not answer in time. */
export async function askPostgresLater(question: Omit<ReadQuestion, 'id'>): Promise<readonly Row[]> {
  asking ??= start()
  const { port, later } = asking
  const id = ++lastId
  const answered = Promise.withResolvers<ReadAnswer>()
  const { withinMs } = question
  const timer = runAfter(
    () => answered.reject(new Error(`PostgreSQL did not answer within ${withinMs} ms`)),
    withinMs + START_MS,
  )
  later.set(id, answered.resolve)
  port.postMessage({ ...question, id } satisfies ReadQuestion)
  try {
    const answer = await answered.promise
    hasAnswered = true
    return rowsOf(answer)
  } finally {
    clearTimeout(timer)
    later.delete(id)
  }
}

function rowsOf(answer: ReadAnswer): readonly Row[] {
  if ('rows' in answer) return answer.rows
  throw Object.assign(new Error(answer.failed.message), { code: answer.failed.code })
}

function start(): Asking {
  const { port1, port2 } = new MessageChannel()
  const bell = new Int32Array(new SharedArrayBuffer(4))
  const init: AskInit = { port: port2, bell }
  const worker = new Worker(WORKER, { name: 'postgres', workerData: init, transferList: [port2] })
  worker.unref()
  // The next answer would miss its time limit.
  worker.on('error', () => undefined)
  const later: Asking['later'] = new Map()
  port1.on('message', (answer: ReadAnswer) => later.get(answer.id)?.(answer))
  port1.unref()
  return { worker, port: port1, bell, later }
}

/** The next query uses a new thread, because this one may never answer. */
function giveUp(withinMs: Ms): Error {
  void asking?.worker.terminate()
  asking = null
  hasAnswered = false
  return new Error(`PostgreSQL did not answer within ${withinMs} ms`)
}
