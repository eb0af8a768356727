import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { recentKeyRequests } from '../../../core/engine/requests/key-access.ts'
import { openReader } from '../../../store/open-reader.ts'
import { addRequest } from '../../../store/requests-file.ts'
import { storeFiles } from '../../../store/store-files.ts'
import { StoreReadError } from '../../../store/failure.ts'
import { runAfter } from '../../../base/threads/timing.ts'
import type { VenuePort } from '../../../venue/port.ts'
import type { Relay, RelayedAnswer } from '../../../venue/relay.ts'
import { storedPosition } from '../position/stored-position.ts'
import { openVenueClient } from './connect-venue.ts'

const CONNECT_MS = 1_000
/** Longer than the daemon's combined wait for budget and venue. */
const ANSWER_MS = 200_000

/**
 * Opens the venue for a command. A key has one budget: reads go through the daemon that runs on this configuration's store, and
 * use its budget; without a daemon, every request waits until the minute has room for it, given what the store and earlier
 * commands have sent. `onSent` gets the time at which a request then left, on the clock of `performance.now()`; for a read
 * through the daemon it is called with the answer. `isRelayed`: whether the daemon, and so its key, has answered a read.
 */
export function openVenue(
  config: LoadedConfig,
  onSent: (at: Ms) => void = () => undefined,
): VenuePort & { readonly isRelayed: () => boolean } {
  const relay = relayTo(storeFiles(config.store.path).relay, onSent)
  const pace = paceBy(config)
  let isRelayed = false
  const client = openVenueClient(config, {
    mayWithdraw: false,
    relay: async (read) => {
      const answer = await relay.ask(read)
      isRelayed ||= answer !== null
      return answer
    },
    beforeSend: (call) => pace(call).then(() => onSent(performance.now())),
  })
  return {
    ...client,
    isRelayed: () => isRelayed,
    close: async () => {
      relay.close()
      await client.close()
    },
  }
}

/** One connection to the daemon's socket. Without a daemon the answer is null, which is determined once. */
function relayTo(
  path: string,
  onSent: (at: Ms) => void,
): { readonly ask: Relay; readonly close: () => void } {
  let line: Promise<Line | null> | null = null
  return {
    ask: async (read) => {
      if (!existsSync(path)) return null
      line ??= openLine(path)
      const reply = await (await line)?.ask(JSON.stringify(read))
      const answer = reply === undefined || reply === null ? null : answerOf(reply)
      if (answer?.tookMs !== undefined) onSent(performance.now() - answer.tookMs)
      return answer
    },
    close: () => void line?.then((open) => open?.close()),
  }
}

type Line = {
  /** Null = the daemon is gone. */
  readonly ask: (text: string) => Promise<string | null>
  readonly close: () => void
}

/** Null = no process listens: a killed daemon left the socket. */
async function openLine(path: string): Promise<Line | null> {
  const socket = connect(path)
  const isOpen = await new Promise<boolean>((resolve) => {
    const timer = runAfter(() => resolve(false), CONNECT_MS)
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => clearTimeout(timer))
  })
  if (!isOpen) {
    socket.destroy()
    return null
  }
  return lineOver(socket)
}

/** Sends one question at a time, because answers are not numbered. */
function lineOver(socket: Socket): Line {
  let waiting: ((text: string | null) => void) | null = null
  const settle = (text: string | null) => waiting?.(text)
  createInterface({ input: socket }).on('line', settle)
  socket.on('error', () => settle(null))
  socket.on('close', () => settle(null))
  const once = (text: string) =>
    new Promise<string | null>((resolve) => {
      const timer = runAfter(() => {
        // A late answer would be mistaken for the answer to the next question.
        socket.destroy()
        resolve(null)
      }, ANSWER_MS)
      waiting = (answer) => {
        clearTimeout(timer)
        resolve(answer)
      }
      if (socket.destroyed) settle(null)
      else socket.write(`${text}\n`)
    })
  let last: Promise<unknown> = Promise.resolve()
  return {
    ask: (text) => {
      const answer = last.then(() => once(text))
      last = answer
      return answer
    },
    close: () => socket.destroy(),
  }
}

/** `tookMs`: from when the request left the daemon; an older daemon does not state it. */
type TimedAnswer = RelayedAnswer & { readonly tookMs?: Ms }

/**
 * Converts the daemon's `refused` to the failure of an unsent request; the client does not send it itself. Null = the answer
 * broke off because the daemon ended while writing it.
 */
function answerOf(text: string): TimedAnswer | null {
  let reply: TimedAnswer | { readonly refused: string; readonly status?: number }
  try {
    reply = JSON.parse(text) as typeof reply
  } catch {
    return null
  }
  if (!('refused' in reply)) return reply
  const words = `the running daemon did not pass it on: ${reply.refused}`
  return {
    ok: false,
    error: { kind: 'network', words, code: 'NOT_RELAYED', wasSent: false, status: reply.status ?? null },
  }
}

/** Waits until the venue's minute has room, counted from the store and the file of earlier commands. */
function paceBy(config: LoadedConfig): (call: { readonly isPublic: boolean }) => Promise<void> {
  const { path } = config.store
  let known: Promise<readonly Ms[]> | null = null
  return async ({ isPublic }) => {
    // Before the first run there is no store, so no requests were sent.
    if (isPublic || !existsSync(path)) return
    known ??= sentByDaemon(config)
    const sent = await known
    for (;;) {
      const { requestsPerMinute } = config.core.pacing
      const waitMs = await addRequest(storeFiles(path).requests, Date.now, requestsPerMinute, sent)
      if (!waitMs.ok || waitMs.value === 0) return
      await pause(Math.min(waitMs.value, 1_000))
    }
  }
}

/** Returns the times of requests in the store; empty for an unreadable store, which `check` reports itself. */
async function sentByDaemon(config: LoadedConfig): Promise<readonly Ms[]> {
  const reader = openReader(config.store.place)
  if (!reader.ok) return []
  try {
    const stored = await storedPosition(config, reader.value)
    return stored === null ? [] : recentKeyRequests(stored.state, Date.now())
  } catch (error) {
    if (error instanceof StoreReadError) return []
    throw error
  } finally {
    reader.value.close()
  }
}
