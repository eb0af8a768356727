import type { SeenTransfer } from '../../../../custody/chain/token-finder.ts'
import type { Leg } from '../../../../treasury/model/intent.ts'
import type { TreasuryAsset } from '../../../../treasury/model/place.ts'
import { transferFeeBound } from '../../../../treasury/policy/routes/legs.ts'
import { addressFor } from '../leg-calls.ts'
import type { Performing } from '../performer-parts.ts'

type ChainFinding = {
  readonly found: { readonly reference: string; readonly received: bigint } | null
  /** Transfers that match but may belong to other payments: evidence for a person. */
  readonly candidates: readonly { readonly reference: string; readonly received: bigint }[]
  readonly words: string
}

/** A leg, the transfers on chain between its two addresses since it was sent, and the other legs. */
type TransferSearch = {
  readonly leg: Leg
  readonly seen: readonly SeenTransfer[]
  /** Transfers of the same token, other than the leg. */
  readonly others: readonly Leg[]
}

/** The smallest amount of each token that the rail moves; fees are rounded to it. */
const SMALLEST: Readonly<Record<TreasuryAsset, bigint>> = { NTZS: 10n ** 18n, USDC: 1n, USDT: 1n }

/** Searches the chain's log for the transfer of an unanswered attempt. */
export async function findOnChain(parts: Performing, leg: Leg, n: number): Promise<ChainFinding> {
  const { chain, config, state } = parts
  const block = leg.attempts.find((one) => one.n === n)?.block ?? null
  const to = leg.kind === 'transfer' ? addressFor(config(), leg) : null
  const from = chain === null || block === null || to === null ? null : await ownAddress(parts)
  if (chain === null || block === null || from === null || to === null)
    return none('no chain was searched for it')
  const { asset, amount: most } = leg
  const wanted = { asset, from, to, least: most - transferFeeBound(most), most, sinceBlock: block } as const
  const seen = await chain.transfers(wanted as Parameters<typeof chain.transfers>[0])
  if (!seen.ok) return none(`the chain could not be read: ${seen.error.words}`)
  const others = Object.values(state()?.intents ?? {})
    .flatMap(({ legs }) => legs)
    .filter((one) => one !== leg && one.kind === 'transfer' && one.asset === asset)
    .filter((one) => addressFor(config(), one) === to)
  return pickTransfer({ leg, seen: seen.value, others })
}

/** Returns the wallet of our own partner user; reads it if a search after a restart precedes the first balances. */
async function ownAddress({ treasuryAddress, client, config }: Performing): Promise<string | null> {
  const known = treasuryAddress()
  if (known !== null) return known
  const user = await client.readUser({ id: config().core.userId })
  return user.kind === 'answered' ? (user.value.walletAddress?.toLowerCase() ?? null) : null
}

/**
 * Returns the only transfer that can be the leg's: of its amount, or of its amount less the partner's fee. The last settled
 * transfer shows the fee; without one the fee is bounded. If two transfers match, or one matches another leg too, none is found.
 */
export function pickTransfer({ leg, seen, others }: TransferSearch): ChainFinding {
  const taken = new Set(others.flatMap(({ reference }) => reference?.toLowerCase() ?? []))
  const free = seen.filter(({ hash, amount }) => !taken.has(hash.toLowerCase()) && isWithin(leg, amount))
  if (free.length === 0) return none('the chain log has no transfer of its amount, with or without a fee')
  const known = lastFee(others)
  const rivals = others.filter((one) => one.sentAt !== null && one.reference === null)
  const likely = free.filter(({ amount }) => isLikely(leg, amount, known))
  const [one, ...more] = likely.length > 0 ? likely : free
  const isAnothers =
    one !== undefined && rivals.some((rival) => isRival(rival, one.amount, known, likely.length > 0))
  // While the fee is unknown, a transfer that no other leg can have made may also be ours less a fee.
  const strangers = free.filter(
    (seenOne) => seenOne !== one && !rivals.some((rival) => isWithin(rival, seenOne.amount)),
  )
  const isOpen = known === null && strangers.length > 0
  if (one !== undefined && more.length === 0 && !isAnothers && !isOpen) {
    const fee = leg.amount - one.amount
    const words = fee === 0n ? 'the chain log shows it' : 'the chain log shows it, less a fee'
    return { found: { reference: one.hash, received: one.amount }, candidates: [], words }
  }
  return {
    found: null,
    candidates: free.map(({ hash, amount }) => ({ reference: hash, received: amount })),
    words: `the chain log has ${free.length === 1 ? 'a transfer that matches another step too' : `${free.length} matching transfers`}`,
  }
}

function none(words: string): ChainFinding {
  return { found: null, candidates: [], words }
}

function isWithin({ amount: most }: Leg, amount: bigint): boolean {
  return amount <= most && amount >= most - transferFeeBound(most)
}

type Fee = { readonly amount: bigint; readonly fee: bigint }

/** Returns the fee of the last settled transfer; null = no transfer was settled yet. */
function lastFee(others: readonly Leg[]): Fee | null {
  const settled = others.filter(({ stage, reference }) => stage === 'settled' && reference !== null)
  const last = settled.toSorted((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)).at(-1)
  if (last?.received == null || last.received > last.amount) return null
  return { amount: last.amount, fee: last.amount - last.received }
}

/** Returns whether an amount equals the leg's amount less the fee of the last transfer, within the rounding of both. */
function isLikely(leg: Leg, amount: bigint, known: Fee | null): boolean {
  if (known === null || known.fee === 0n) return amount === leg.amount
  const unit = SMALLEST[leg.asset]
  const expected = leg.amount - (leg.amount * known.fee) / known.amount
  const away = amount > expected ? amount - expected : expected - amount
  // A rounding by one unit in the known fee grows with the ratio of the amounts.
  return away <= unit + (unit * leg.amount) / known.amount
}

/** Returns whether another unfound leg may own the amount. An exact match of ours is compared with exact matches only. */
function isRival(rival: Leg, amount: bigint, known: Fee | null, isExact: boolean): boolean {
  return isExact ? isLikely(rival, amount, known) : isWithin(rival, amount)
}
