import { createParser } from 'eventsource-parser'
import { isRecord } from '../../../base/record.ts'
import { parseUnique } from '../../../base/http/body.ts'

/** The JSON object of one `data:` line of a stream. */
export type StreamLine = Readonly<Record<string, unknown>>

/** Reads the lines of a text/event-stream as its bytes arrive; skips lines that are not a JSON object. */
type LineReader = {
  readonly feed: (chunk: Uint8Array) => void
  /** Ends the stream, and reads an unfinished event. */
  readonly end: () => void
}

export function createLineReader(onLine: (line: StreamLine) => void): LineReader {
  const decoder = new TextDecoder()
  // The contract shows one JSON object per line. Without blank lines several arrive as one event.
  const parser = createParser({
    onEvent: ({ data }) => {
      const whole = objectOf(data)
      if (whole !== null) onLine(whole)
      else for (const line of data.split('\n').map(objectOf)) if (line !== null) onLine(line)
    },
  })
  return {
    feed: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    end: () => parser.feed(`${decoder.decode()}\n\n`),
  }
}

/** Returns the lines of a complete stream. */
export function readStream(text: string): readonly StreamLine[] {
  const lines: StreamLine[] = []
  const reader = createLineReader((line) => lines.push(line))
  reader.feed(new TextEncoder().encode(text))
  reader.end()
  return lines
}

function objectOf(text: string): StreamLine | null {
  const parsed = parseUnique(text)
  return parsed.ok && isRecord(parsed.value) ? parsed.value : null
}
