import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { type Side, SIDES } from '../../../base/money/side.ts'
import { routedShare } from '../../market/routing.ts'
import { normalCdf } from '../distributions.ts'
import type { SeenRival } from './rival-watch.ts'

/** How takers are shared: within which distance of the best spread, and where the rivals are while takers come. */
type Account = {
  readonly toleranceBps: number
  /** `stay`: where they were seen. `moved`: somewhere around it. `answer`: soon below our new spread. */
  readonly rivals: 'stay' | 'moved' | 'answer'
}

/** What our fills say of each account. Plain data, part of a strategy's memory. */
export type RoutingEvidence = {
  /** The stated tolerance; null = nothing was observed. */
  statedBps: number | null
  /** Fills, and by account the expected number and the sum of the logarithms of our shares at them; older ones count less. */
  readonly sides: Record<Side, { fills: number; expected: number[]; logs: number[] }>
}

export function emptyRoutingEvidence(): RoutingEvidence {
  return { statedBps: null, sides: { bid: unseen(0), ask: unseen(0) } }
}

function unseen(accounts: number): RoutingEvidence['sides'][Side] {
  const zeros = () => Array.from({ length: accounts }, () => 0)
  return { fills: 0, expected: zeros(), logs: zeros() }
}

/** Tolerances that may hold instead of the stated one. */
const TOLERANCES_BPS = [0, 5, 15]
const MOVED_BPS = 12
/** How far the others are from where they usually are. */
const OTHERS_SD_BPS = 15
/** Share of the takers that come before a rival's answer. */
const UNANSWERED = 0.25
/** Probability, before any fill, that what is stated holds. */
const STATED = 0.9
/** ... that a rival whose distance below us repeats answers before the next probe. */
const ANSWERS = 0.9
/** From this probability on only the stated account counts. */
const PROBABLE = 0.5
/** Part of the fills that no account explains: informed takers, rivals without stock, fills that are seen late. */
const UNEXPLAINED = 0.1
/** The rate of takers is as certain as after this many fills. */
const RATE_FILLS = 4
const MEMORY_DAYS = 20

const accountsKept = new Map<number, readonly Account[]>()

/** The stated account first. */
function accountsOf(statedBps: number): readonly Account[] {
  const before = accountsKept.get(statedBps)
  if (before !== undefined) return before
  const tolerances = [statedBps, ...TOLERANCES_BPS.filter((bps) => bps !== statedBps)]
  const accounts = tolerances.flatMap((toleranceBps) =>
    (['stay', 'moved', 'answer'] as const).map((rivals) => ({ toleranceBps, rivals })),
  )
  accountsKept.set(statedBps, accounts)
  return accounts
}

/** Our share of the takers at a spread if this account is right. */
function shareOf({ toleranceBps, rivals }: Account, own: number, rival: SeenRival): number {
  const { bps, underBps, lowestBps, highestBps, othersBps } = rival
  if (bps === null || rivals === 'stay') return routedShare(own, bps, toleranceBps)
  if (rivals === 'answer') {
    const answer = Math.max(lowestBps, Math.min(highestBps, own - (underBps ?? 0)))
    const before = routedShare(own, bps, toleranceBps)
    const isOpen = normalCdf((othersBps + toleranceBps - own) / OTHERS_SD_BPS)
    return UNANSWERED * before + (1 - UNANSWERED) * isOpen * routedShare(own, answer, toleranceBps)
  }
  return movedShares(toleranceBps)[placeOf(own - bps)]!
}

function placeOf(distanceBps: number): number {
  return Math.min(2 * RANGE, Math.max(0, Math.round(distanceBps) + RANGE))
}

const RANGE = MAX_SPREAD_BPS - MIN_SPREAD_BPS
const movedKept = new Map<number, Float64Array>()

/** By distance of our spread from where a rival was seen, -490..490: our share if its place is normal around it. */
function movedShares(toleranceBps: number): Float64Array {
  const before = movedKept.get(toleranceBps)
  if (before !== undefined) return before
  const isAbove = (distance: number) => normalCdf(-distance / MOVED_BPS)
  const shares = Float64Array.from({ length: 2 * RANGE + 1 }, (_, i) => {
    const distance = i - RANGE
    return (isAbove(distance + toleranceBps + 0.5) + isAbove(distance - toleranceBps - 0.5)) / 2
  })
  movedKept.set(toleranceBps, shares)
  return shares
}

function likelyShare(account: Account, own: number, rival: SeenRival): number {
  return UNEXPLAINED / 2 + (1 - UNEXPLAINED) * shareOf(account, own, rival)
}

/** One side since the last call. */
export type RoutedFills = {
  /** Our spread; null = the side was off. */
  readonly own: number | null
  readonly rival: SeenRival
  /** Takers that a sole provider would have had at this spread. */
  readonly takers: number
  readonly fills: number
}

/**
 * Counts the fills of `days`, during which `statedBps` was the stated tolerance. Returns by side our share of the takers, as the fills
 * so far suggest; 0 = the side was off.
 */
export function observeFills(
  evidence: RoutingEvidence,
  statedBps: number,
  days: number,
  sides: Record<Side, RoutedFills>,
): Record<Side, number> {
  const accounts = accountsOf(statedBps)
  const keep = Math.exp(-days / MEMORY_DAYS)
  if (evidence.statedBps !== statedBps)
    for (const side of SIDES) evidence.sides[side] = unseen(accounts.length)
  evidence.statedBps = statedBps
  const mayAnswer = sides.bid.rival.underBps !== null || sides.ask.rival.underBps !== null
  const weights = weightsOf(evidence, accounts, mayAnswer)
  const probable = { bid: 0, ask: 0 }
  for (const side of SIDES) {
    const { own, rival, takers, fills } = sides[side]
    const at = evidence.sides[side]
    at.fills = at.fills * keep + (own === null ? 0 : fills)
    for (const [i, account] of accounts.entries()) {
      const share = own === null ? 0 : likelyShare(account, own, rival)
      probable[side] += weights[i]! * share
      at.expected[i] = at.expected[i]! * keep + share * takers
      at.logs[i] = at.logs[i]! * keep + (share === 0 || fills === 0 ? 0 : fills * Math.log(share))
    }
  }
  return probable
}

/** What the fills suggest of the routing. */
export type LikelyRouting = {
  /** Whether the rivals probably undercut each quote soon. */
  readonly rivalsAnswer: boolean
  /** By side and allowed spread our share of the takers; null = as the tolerance and the rivals' spreads say. */
  readonly shares: Readonly<Record<Side, Float64Array | null>>
  /** The most probable account in a sentence; null = what is stated holds. */
  readonly reason: string | null
}

const AS_STATED: LikelyRouting = { rivalsAnswer: false, shares: { bid: null, ask: null }, reason: null }

/** Returns what the observed fills suggest, with these rivals now. */
export function likelyRouting(evidence: RoutingEvidence, rivals: Record<Side, SeenRival>): LikelyRouting {
  const { statedBps } = evidence
  if (statedBps === null) return AS_STATED
  const accounts = accountsOf(statedBps)
  const weights = weightsOf(evidence, accounts, rivals.bid.underBps !== null || rivals.ask.underBps !== null)
  if (weights[0]! >= PROBABLE) return AS_STATED
  const answers = accounts.reduce((sum, { rivals: how }, i) => sum + (how === 'answer' ? weights[i]! : 0), 0)
  const { toleranceBps, rivals: how } = accounts[weights.indexOf(Math.max(...weights))]!
  const sharesOn = (side: Side) => {
    const shares = new Float64Array(RANGE + 1)
    for (const [at, account] of accounts.entries())
      if (weights[at]! >= LEAST_WEIGHT) addShares(shares, weights[at]!, account, rivals[side])
    return shares
  }
  return {
    rivalsAnswer: answers > 0.5,
    shares: { bid: sharesOn('bid'), ask: sharesOn('ask') },
    reason: `our fills suggest a tolerance of ${toleranceBps} bps and others that ${DOES[how]}`,
  }
}

const LEAST_WEIGHT = 0.01
const DOES = {
  stay: 'stay until the next probe',
  moved: 'have moved since they were seen',
  answer: 'soon undercut each new quote',
} as const

/** Adds the weighted `likelyShare` of each allowed spread, in one loop a kind of account. */
function addShares(shares: Float64Array, weight: number, account: Account, rival: SeenRival): void {
  const { toleranceBps, rivals } = account
  const { bps } = rival
  const add = (i: number, share: number) => {
    shares[i]! += weight * (UNEXPLAINED / 2 + (1 - UNEXPLAINED) * share)
  }
  if (bps === null || rivals === 'stay')
    for (let i = 0; i <= RANGE; i++) add(i, routedShare(MIN_SPREAD_BPS + i, bps, toleranceBps))
  else if (rivals === 'moved') {
    const moved = movedShares(toleranceBps)
    for (let i = 0; i <= RANGE; i++) add(i, moved[placeOf(MIN_SPREAD_BPS + i - bps)]!)
  } else for (let i = 0; i <= RANGE; i++) add(i, shareOf(account, MIN_SPREAD_BPS + i, rival))
}

/**
 * Weighs the accounts by Bayes's rule. Fills are Poisson with rate c A(b) share(b), where c is unknown: a Gamma with mean 1 and
 * shape RATE_FILLS, integrated out, so that only where fills come counts and not how many. `answer` is possible where the distance
 * of a rival below us repeats, otherwise `moved`. Source: Gelman et al., Bayesian Data Analysis, 3rd edition, section 2.6.
 */
function weightsOf(
  { sides, statedBps }: RoutingEvidence,
  accounts: readonly Account[],
  mayAnswer: boolean,
): readonly number[] {
  const stated: Readonly<Record<Account['rivals'], number>> = mayAnswer
    ? { stay: STATED * (1 - ANSWERS), moved: 0, answer: STATED * ANSWERS }
    : { stay: STATED, moved: 0, answer: 0 }
  const others = (accounts.length * 2) / 3 - (mayAnswer ? 2 : 1)
  const logs = accounts.map(({ toleranceBps, rivals }, i) => {
    if (rivals === (mayAnswer ? 'moved' : 'answer')) return -Infinity
    const asStated = toleranceBps === statedBps ? stated[rivals] : 0
    let log = Math.log(asStated > 0 ? asStated : (1 - STATED) / others)
    for (const side of SIDES) {
      const { fills, expected, logs: shares } = sides[side]
      log += shares[i]! - (fills + RATE_FILLS) * Math.log(expected[i]! + RATE_FILLS)
    }
    return log
  })
  const most = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - most))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
