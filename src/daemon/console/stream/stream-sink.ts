import type { ServerResponse } from 'node:http'
import type { StreamMessage } from '../answers.ts'

/** One reader of the stream. It buffers at most `BUFFER_BYTES` and one message. */
export type StreamSink = {
  /** Sends a message from `eventText`. Returns false if it was dropped because the reader is too slow. */
  readonly send: (text: string) => boolean
  readonly end: () => void
}

const BUFFER_BYTES = 256 * 1024
/** A reader that reads nothing for this time is disconnected. */
const GIVE_UP_MS = 60_000

/** Returns a message as a server-sent event. */
export function eventText(message: StreamMessage): string {
  return `event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`
}

/**
 * Writes to a response whose reader may be slow. Messages that do not fit into the buffer are dropped and counted, and the
 * reader gets the count once it reads again. The next view replaces a dropped one. After a dropped change of the list the
 * reader gets the whole list.
 */
export function createStreamSink(response: ServerResponse): StreamSink {
  let dropped = 0
  let droppingSince = 0
  return {
    send(text) {
      if (response.writableEnded || response.destroyed) return true
      if (response.writableLength > BUFFER_BYTES) {
        if (dropped === 0) droppingSince = Date.now()
        dropped += 1
        if (Date.now() - droppingSince > GIVE_UP_MS) response.destroy()
        return false
      }
      if (dropped > 0) response.write(eventText({ type: 'dropped', count: dropped }))
      dropped = 0
      response.write(text)
      return true
    },
    end: () => void response.end(),
  }
}
