import { deserialize, serialize } from 'node:v8'

/** The daemon's requests to a process that evaluates strategies; `owner` identifies one evaluation of its file. */
export type StrategyRequest =
  | {
      readonly do: 'evaluate'
      readonly owner: string
      readonly name: string
      readonly script: string
      /** The script of the kit. */
      readonly kit: string
    }
  | { readonly do: 'parse' | 'init' | 'inner'; readonly owner: string; readonly params: unknown }
  | {
      readonly do: 'quote'
      readonly owner: string
      readonly params: unknown
      /** The strategy's own memory, serialized. */
      readonly memory: Uint8Array
      /** The parts of the context that it read at the last question, by path. */
      readonly context: ReadonlyMap<string, unknown>
      /** The labels of the wrapped strategies. */
      readonly inner: readonly string[]
    }

/** The process's questions while it answers `quote`. */
export type StrategyQuestion =
  | { readonly ask: 'read'; readonly path: string }
  | { readonly ask: 'inWindow'; readonly cron: string; readonly timezone: string }
  /** The next numbers of a stream. A stream starts with the first question that has its number. */
  | { readonly ask: 'random'; readonly label: string; readonly stream: number }
  /** `context` null = the context of the wrapper. */
  | { readonly ask: 'inner'; readonly label: string; readonly context: object | null }

export type StrategyOutcome =
  | { readonly value: unknown }
  | { readonly threw: { readonly name: string; readonly text: string } }

export type ToStrategy = { readonly request: StrategyRequest } | { readonly reply: StrategyOutcome }
export type FromStrategy = { readonly answer: StrategyOutcome } | { readonly question: StrategyQuestion }

/** The answer to `evaluate` for a complete strategy. */
export type EvaluatedStrategy = {
  readonly name: string
  readonly hasInner: boolean
  readonly schemaText: string | null
}

/** The answer to `quote`: its memory if changed, and the paths of the context that it read. */
export type QuotedStrategy = {
  readonly quote: unknown
  readonly memory: unknown
  readonly hasChanged: boolean
  readonly read: readonly string[]
}

/** All data of a context, in the order of its keys. `competition.bid` is whether a best bid exists. */
export const CONTEXT_PATHS: readonly string[] = `
  now cause mid midAgeMs fairValue fairShift feeds
  inventory.ntzs inventory.usd inventory.usdShare inventory.target inventory.capitalCost
  inventory.imbalance inventory.totalTzs recentFills markouts.bid markouts.ask competition.bid competition.bid.bestBps competition.bid.ageMs
  competition.ask competition.ask.bestBps competition.ask.ageMs standing protocolFeeBps toleranceBps
  available calibration data`
  .trim()
  .split(/\s+/)

/** More than any strategy's memory needs: a longer message is a fault of its sender. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024
const HEAD_BYTES = 4

/** Returns a message as written to the pipe: its length, then its bytes. Throws if it cannot be cloned. */
export function frameOf(message: ToStrategy | FromStrategy): Uint8Array {
  const body = serialize(message)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(body.length, 0)
  return Buffer.concat([head, body])
}

/** Returns the next message of a pipe. `read` fills the buffer from an offset, returns the number of bytes, and throws at the end. */
export function readFrame(read: (into: Buffer, from: number) => number): unknown {
  const filled = (buffer: Buffer): Buffer => {
    for (let from = 0; from < buffer.length;) from += read(buffer, from)
    return buffer
  }
  const length = filled(Buffer.alloc(HEAD_BYTES)).readUInt32LE(0)
  if (length > MAX_FRAME_BYTES) throw new RangeError(`a message of ${length} bytes`)
  return deserialize(filled(Buffer.allocUnsafe(length)))
}

/** Returns an Error with the name and text caught by the other side. */
export function asThrown({ threw }: Extract<StrategyOutcome, { threw: object }>): Error {
  return Object.assign(new Error(threw.text), { name: threw.name })
}
