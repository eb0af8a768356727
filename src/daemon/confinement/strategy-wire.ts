import { deserialize, serialize } from 'node:v8'

/** What the daemon asks of the process that evaluates a strategy; `owner` names one evaluation of its file. */
export type StrategyRequest =
  | { readonly do: 'evaluate'; readonly owner: string; readonly name: string; readonly script: string }
  | { readonly do: 'parse' | 'init' | 'inner'; readonly owner: string; readonly params: unknown }
  | {
      readonly do: 'quote'
      readonly owner: string
      readonly params: unknown
      /** The strategy's own memory, serialized. */
      readonly memory: Uint8Array
      /** By path, what it read of its context at the last question. */
      readonly context: ReadonlyMap<string, unknown>
      /** The labels of what it wraps. */
      readonly inner: readonly string[]
    }

/** What the process asks back while it answers `quote`. */
export type StrategyQuestion =
  | { readonly ask: 'read'; readonly path: string }
  | { readonly ask: 'inWindow'; readonly cron: string; readonly timezone: string }
  /** The next numbers of a stream, which begins with the first question of this number. */
  | { readonly ask: 'random'; readonly label: string; readonly stream: number }
  /** `context` null = the one that the wrapper was asked with. */
  | { readonly ask: 'inner'; readonly label: string; readonly context: object | null }

export type StrategyOutcome =
  | { readonly value: unknown }
  | { readonly threw: { readonly name: string; readonly text: string } }

export type ToStrategy = { readonly request: StrategyRequest } | { readonly reply: StrategyOutcome }
export type FromStrategy = { readonly answer: StrategyOutcome } | { readonly question: StrategyQuestion }

/** What `evaluate` answers of a strategy that is complete. */
export type EvaluatedStrategy = {
  readonly name: string
  readonly hasInner: boolean
  readonly schemaText: string | null
}

/** What `quote` answers: its memory where that has changed, and the paths of the context that it read. */
export type QuotedStrategy = {
  readonly quote: unknown
  readonly memory: unknown
  readonly hasChanged: boolean
  readonly read: readonly string[]
}

/** Everything of a context that is data, in the order of its keys. Of the best quotes `competition.bid` is whether there is one. */
export const CONTEXT_PATHS: readonly string[] = `
  now cause mid midAgeMs fairValue fairShift
  inventory.ntzs inventory.usd inventory.usdShare inventory.target inventory.imbalance inventory.totalTzs
  recentFills markouts.bid markouts.ask competition.bid competition.bid.bestBps competition.bid.ageMs
  competition.ask competition.ask.bestBps competition.ask.ageMs standing protocolFeeBps available calibration`
  .trim()
  .split(/\s+/)

/** More than any memory of a strategy needs: a longer message is the fault of what sends it. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024
const HEAD_BYTES = 4

/** A message as it goes through the pipe: its length, then its bytes. Throws for what cannot be cloned. */
export function frameOf(message: ToStrategy | FromStrategy): Uint8Array {
  const body = serialize(message)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(body.length, 0)
  return Buffer.concat([head, body])
}

/** The next message of a pipe. `read` puts bytes into the buffer from a place on, returns how many, and throws at the end. */
export function readFrame(read: (into: Buffer, from: number) => number): unknown {
  const filled = (buffer: Buffer): Buffer => {
    for (let from = 0; from < buffer.length;) from += read(buffer, from)
    return buffer
  }
  const length = filled(Buffer.alloc(HEAD_BYTES)).readUInt32LE(0)
  if (length > MAX_FRAME_BYTES) throw new RangeError(`a message of ${length} bytes`)
  return deserialize(filled(Buffer.allocUnsafe(length)))
}

/** What may be put into words of a thrown error. */
export function asThrown({ threw }: Extract<StrategyOutcome, { threw: object }>): Error {
  return Object.assign(new Error(threw.text), { name: threw.name })
}
