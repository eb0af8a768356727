import { createParser } from 'eventsource-parser'
import { isRecord } from '../../../base/record.ts'
import { parseUnique } from '../../../base/http/body.ts'

/** One `data:` line of a stream: a JSON object, as it came. */
export type StreamLine = Readonly<Record<string, unknown>>

/** Reads the lines of a text/event-stream as its bytes arrive. A line that is no JSON object is left out. */
type LineReader = {
  readonly feed: (chunk: Uint8Array) => void
  /** No more comes: what no blank line has ended is read too. */
  readonly end: () => void
}

export function createLineReader(onLine: (line: StreamLine) => void): LineReader {
  const decoder = new TextDecoder()
  // The contract shows one JSON object a line; without blank lines between them several come as one event.
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

/** The lines of a stream that has ended. */
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
