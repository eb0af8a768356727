import { deserialize, serialize } from 'node:v8'

/** What the daemon asks of the process that evaluates a strategy; `id` names one evaluated file. */
export type StrategyRequest =
  | { readonly do: 'evaluate'; readonly id: string; readonly name: string; readonly script: string }
  | { readonly do: 'parse' | 'init' | 'inner'; readonly id: string; readonly params: unknown }
  | {
      readonly do: 'quote'
      readonly id: string
      readonly params: unknown
      /** The strategy's own memory, serialized. */
      readonly memory: Uint8Array
      /** What it read of its context at the last question, by path. */
      readonly context: ReadonlyMap<string, unknown>
      /** The labels of what it wraps. */
      readonly inner: readonly string[]
    }

/** What the process asks back while it answers `quote`. */
export type StrategyQuestion =
  | { readonly ask: 'read'; readonly path: string }
  | { readonly ask: 'inWindow'; readonly cron: string; readonly timezone: string }
  /** The next numbers of a stream, which begins with the first question for its label of this number. */
  | { readonly ask: 'random'; readonly label: string; readonly stream: number }
  /** `context` null = the one that the wrapper was asked with. */
  | { readonly ask: 'inner'; readonly label: string; readonly context: object | null }

/** What a strategy threw, or what was thrown at it: its name and its text. */
export type Thrown = { readonly name: string; readonly text: string }
export type Outcome = { readonly value: unknown } | { readonly threw: Thrown }

export type ToStrategy =
  | { readonly id: number; readonly request: StrategyRequest }
  | { readonly reply: Outcome }
export type FromStrategy =
  | { readonly id: number; readonly answer: Outcome }
  | { readonly id: number; readonly question: StrategyQuestion }

/** What `evaluate` answers of a strategy that is complete. */
export type EvaluatedStrategy = {
  readonly name: string
  readonly hasInner: boolean
  /** The skeleton of the schema of its parameters, which shows the keys that it knows. */
  readonly schema: object
  readonly schemaText: string | null
}

/** What `quote` answers. */
export type QuotedStrategy = {
  readonly quote: unknown
  /** Null where the strategy left it as it was. */
  readonly memory: unknown
  readonly hasChanged: boolean
  /** The paths of the context that it read. */
  readonly read: readonly string[]
}

/** Everything of a context that is data. The process reads by these paths and the daemon answers no others. */
export const CONTEXT_PATHS: readonly string[] = `
  now cause mid midAgeMs fairValue fairShift recentFills standing protocolFeeBps promisable calibration
  inventory.ntzs inventory.usd inventory.usdShare inventory.target inventory.deviation inventory.totalTzs
  markouts.bid markouts.ask competition competition.bid.bestBps competition.bid.ageMs competition.ask.bestBps
  competition.ask.ageMs`
  .trim()
  .split(/\s+/)

/** More than any memory of a strategy needs: a longer message is the fault of what sends it. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024
const HEAD_BYTES = 4

/** A message as it goes through the pipe: its length, then its bytes. Throws for what cannot be cloned. */
export function frameOf(message: ToStrategy | FromStrategy): Uint8Array {
  const body = serialize(message)
  const frame = Buffer.allocUnsafe(HEAD_BYTES + body.length)
  frame.writeUInt32LE(body.length, 0)
  body.copy(frame, HEAD_BYTES)
  return frame
}

/** Collects bytes and returns whole messages, in order. Throws a RangeError for a message that is too long. */
export class FrameReader {
  #chunks: Buffer[] = []
  #size = 0
  /** Fewer bytes than these hold no whole message. */
  #needed = HEAD_BYTES

  add(chunk: Uint8Array): void {
    this.#chunks.push(Buffer.from(chunk))
    this.#size += chunk.length
  }

  /** Null = no message is complete. */
  next(): unknown {
    if (this.#size < this.#needed) return null
    const bytes = Buffer.concat(this.#chunks)
    const length = bytes.readUInt32LE(0)
    if (length > MAX_FRAME_BYTES) throw new RangeError(`a message of ${length} bytes`)
    const end = HEAD_BYTES + length
    this.#chunks = bytes.length > end ? [bytes.subarray(end)] : bytes.length < end ? [bytes] : []
    this.#needed = bytes.length < end ? end : HEAD_BYTES
    if (bytes.length < end) return null
    this.#size -= end
    return deserialize(bytes.subarray(HEAD_BYTES, end))
  }
}
