/** The path for acknowledging the guard's open alerts. */
export const ACK_PATH = '/v1/ack'

/** Null = all codes, all positions. */
export type AckRequest = {
  readonly positions: readonly string[] | null
  readonly code: string | null
  readonly who: string
  readonly why: string
}

/** For each requested position: the codes acknowledged now, and those open. */
export type AckAnswer = {
  readonly positions: readonly {
    readonly name: string
    readonly acknowledged: readonly string[]
    readonly open: readonly string[]
  }[]
}

const MOST_WORDS = 1_000

/** Parses a request received over the wire; null = invalid. */
export function parseAck(body: unknown): AckRequest | null {
  const { positions = null, code = null, who, why } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (code !== null && typeof code !== 'string') return null
  if (typeof who !== 'string' || who === '' || typeof why !== 'string') return null
  if (positions !== null && !(Array.isArray(positions) && positions.every((one) => typeof one === 'string')))
    return null
  return {
    positions: positions as readonly string[] | null,
    code,
    who: who.slice(0, MOST_WORDS),
    why: why.slice(0, MOST_WORDS),
  }
}
