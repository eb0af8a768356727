import type { ServerResponse } from 'node:http'
import type { StreamMessage } from '../answers.ts'

/** One reader of the stream. It never holds more than its buffer and one message. */
export type StreamSink = {
  /** Takes a message as `eventText` made it, or leaves it out where the reader is too slow: then false. */
  readonly send: (text: string) => boolean
  readonly end: () => void
}

const BUFFER_BYTES = 256 * 1024
/** A reader that reads nothing for this time is gone, although its connection is open. */
const GIVE_UP_MS = 60_000

/** A message as server-sent events have it: made once for all readers. */
export function eventText(message: StreamMessage): string {
  return `event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`
}

/**
 * Writes to a response that may not be read. What does not fit into the buffer is left out and counted; the
 * reader is told how many were as soon as it reads again. A view is whole, so that one that was left out costs a
 * reader nothing but its moment; of the list, which goes out in changes, it is sent the whole one then.
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
