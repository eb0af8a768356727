import { Refusal } from './refusal.ts'

/** Counts wrong tokens by address, so that guessing is slow. A right token is never asked about here. */
export type FailedTokens = {
  /** Throws a Refusal where the address has sent too many wrong tokens of late. */
  readonly check: (ip: string) => void
  readonly note: (ip: string) => void
}

const PER_MINUTE = 20
const MINUTE_MS = 60_000
/** So many addresses are remembered; with more the oldest are forgotten. */
const MAX_ADDRESSES = 10_000

type Count = { readonly since: number; failures: number }

export function createFailedTokens(): FailedTokens {
  const counts = new Map<string, Count>()
  return {
    check(ip) {
      const count = counts.get(ip)
      if (count === undefined) return
      if (Date.now() - count.since >= MINUTE_MS) return void counts.delete(ip)
      if (count.failures < PER_MINUTE) return
      throw new Refusal(429, 'too-many-tokens', 'too many wrong tokens came from this address; wait a minute')
    },
    note(ip) {
      const count = counts.get(ip)
      if (count !== undefined) return void (count.failures += 1)
      const [oldest] = counts.keys()
      if (counts.size >= MAX_ADDRESSES && oldest !== undefined) counts.delete(oldest)
      counts.set(ip, { since: Date.now(), failures: 1 })
    },
  }
}
