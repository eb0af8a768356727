import { Refusal } from './refusal.ts'

/** Counts wrong tokens by address, so that guessing is slow. */
export type FailedTokens = {
  /** Throws a Refusal where the address has guessed too often of late: its token is not looked at. */
  readonly check: (ip: string) => void
  readonly note: (ip: string) => void
}

const PER_MINUTE = 20
/** Other programs of this machine share its one address: one that guesses must not keep an operator out soon. */
const PER_MINUTE_LOOPBACK = 200
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
      if (count.failures < limitOf(ip)) return
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

function limitOf(ip: string): number {
  return /^(127\.|::1$|::ffff:127\.)/.test(ip) ? PER_MINUTE_LOOPBACK : PER_MINUTE
}
