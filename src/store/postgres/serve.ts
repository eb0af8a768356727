import type { MessagePort } from 'node:worker_threads'
import type { JournalInit, JournalMessage, JournalReply, JournalWrite } from '../journal-messages.ts'
import type { PostgresPlace } from '../place.ts'
import { openPostgresJournal, type OpenPostgresJournal } from './open-journal.ts'
import { postgresFailureOf } from './failure.ts'

/** Maximum number of writes per transaction, so that it ends well within the holder's time. */
const MAX_GROUP = 2_000
/** Journal rows dropped between two groups of writes. */
const PRUNE_ROWS = 2_000

/**
 * Opens the position in PostgreSQL and serves it over `port` until asked to close. Gathers the next group of writes
 * while one is in flight, and reports its last number once PostgreSQL has it on disk. The first error is final. If the
 * position is held, `standsBy` waits for it, and `close` ends the wait.
 */
export async function servePostgres(
  port: MessagePort,
  init: JournalInit,
  place: PostgresPlace,
): Promise<void> {
  const ending = new AbortController()
  const onEarly = (message: JournalMessage): void => {
    if ('type' in message && message.type === 'close') ending.abort()
  }
  port.on('message', onEarly)
  const onHeld = (held: string, lives: boolean) => send(port, { type: 'standby', held, lives })
  const standBy = init.standsBy === true ? { onHeld, signal: ending.signal } : undefined
  const opened = await openPostgresJournal(init, place, standBy)
  port.off('message', onEarly)
  if (!opened.ok) {
    send(port, { type: 'refused', failure: opened.error })
    port.close()
    return
  }
  send(port, { type: 'opened', ...opened.value.writer.last() })
  serve(port, opened.value, place)
}

function serve(port: MessagePort, journal: OpenPostgresJournal, place: PostgresPlace): void {
  const { writer } = journal
  const group: JournalWrite[] = []
  /** Runs groups, prunes and the close one at a time. */
  let queue = Promise.resolve()
  const guard = reportFirst(port, place)

  async function commitGroup(): Promise<void> {
    for (let writes = group.splice(0, MAX_GROUP); writes.length > 0; writes = group.splice(0, MAX_GROUP)) {
      await guard(async () => {
        const { lastSeq, treasurySeq } = await writer.write(writes)
        send(port, { type: 'durable', seq: lastSeq, treasurySeq })
      })
    }
  }

  /** Prunes in slices, so that housekeeping does not delay writes. */
  async function prune(id: number, keepFromMs: number): Promise<void> {
    let rows = 0
    await guard(async () => {
      for (let slice = -1; slice !== 0; rows += slice) {
        await commitGroup()
        slice = await writer.prune(keepFromMs, PRUNE_ROWS)
      }
    })
    send(port, { type: 'answer', id, answer: rows })
  }

  journal.onLost((error) => guard(() => Promise.reject(error)))

  function answerTo({ id, call }: Extract<JournalMessage, { readonly type: 'call' }>): void {
    const answer = (isSo: boolean) => send(port, { type: 'answer', id, answer: Number(isSo) })
    if ('keepFromMs' in call) queue = queue.then(() => prune(id, call.keepFromMs))
    // The position continues to trade and write meanwhile.
    else if (call.handOver === 'look') void journal.isStoodBy().then(answer)
    else queue = queue.then(() => journal.handOver().then(answer))
  }

  async function end(): Promise<void> {
    await journal.close()
    send(port, { type: 'closed' })
    port.close()
  }

  port.on('message', (message: JournalMessage) => {
    if (!('type' in message)) {
      // Joins the group that already waits for the one before it.
      if (group.length === 0) queue = queue.then(commitGroup)
      group.push(...message)
      return
    }
    queue = queue.then(commitGroup)
    if (message.type === 'close') queue = queue.then(end)
    else answerTo(message)
  })
}

type Guard = (work: () => Promise<void>) => Promise<void>

/** Runs work until the first failure, which is reported and final. */
function reportFirst(port: MessagePort, place: PostgresPlace): Guard {
  let failed = false
  return async (work) => {
    if (failed) return
    try {
      await work()
    } catch (error) {
      // Reports one of two concurrent failures.
      if (!failed) send(port, { type: 'failed', failure: postgresFailureOf(error, place) })
      failed = true
    }
  }
}

function send(port: MessagePort, reply: JournalReply): void {
  port.postMessage(reply)
}
