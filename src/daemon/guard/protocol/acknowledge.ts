/** Where a person takes open alerts of the guard in hand. */
export const ACK_PATH = '/v1/ack'

/** Null = all codes, all positions. */
export type AckRequest = {
  readonly positions: readonly string[] | null
  readonly code: string | null
  readonly who: string
  readonly why: string
}

/** Of each position that was asked for: what is in hand from now on, and what was open. */
export type AckAnswer = {
  readonly positions: readonly {
    readonly name: string
    readonly acknowledged: readonly string[]
    readonly open: readonly string[]
  }[]
}

const MOST_WORDS = 1_000

/** Reads a request that came over the wire; null = it is not one. */
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
