import { err, ok, type Result } from '../../../base/result.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import type { TreasuryAsset } from '../../model/place.ts'
import type { PlanInput, PlannedLeg, RouteName } from '../../model/plan-types.ts'
import { inShillings, ofShillings, bpsOfAmount, SHILLING, wholeUnits } from '../units.ts'
import { estimate, expectedBps, type Journey } from './estimate.ts'
import { heldAt, inPosition, takenAmounts, withinCap, type Draft } from './feasibility.ts'
import { activationLeg, outOfPoolLeg, plainLeg } from './legs.ts'
import { DEPOSIT_GRAIN, distinctAmount, LEAST_DEPOSIT, PAYOUT_BELOW, splitLots } from './lots.ts'
import { swapTerms } from './swap-terms.ts'
import { intoPool, leastInPool } from './transfers.ts'

/** A wanted refill of a token, and the amounts of the other tokens that may be given for it. */
export type RefillWish = {
  readonly asset: TreasuryAsset
  readonly amount: bigint
  /** The most that a rebalance moves: what the position itself lacks. */
  readonly rebalance: bigint
  readonly spare: Readonly<Record<TreasuryAsset, bigint>>
}

type RefillRoute = (input: PlanInput, wish: RefillWish) => Result<Draft, string>

const POOL = 'pool'
const MOST_DEPOSITS = 10
const ONRAMP_SLACK_BPS = 300

/** Drafts a transfer of the treasury wallet's tokens into the position. */
function rebalance(input: PlanInput, { asset, rebalance: wanted }: RefillWish): Result<Draft, string> {
  if (asset === 'USDT') return err('a transfer moves only NTZS and USDC')
  const here = heldAt(input, 'treasury', asset)
  if (wanted === 0n) return err('the position itself needs none')
  const left = asset === 'NTZS' ? (input.transferCaps?.left ?? null) : null
  if (left !== null && left < input.config.policy.smallest[asset])
    return err(
      `the venue's cap of transfers leaves ${formatTokens(left, asset)} ${asset} today: it waits until tomorrow`,
    )
  const most = here < wanted ? here : wanted
  const within = withinCap(input, 'rebalance', POOL, asset, left !== null && left < most ? left : most)
  if (!within.ok) return within
  const step = asset === 'NTZS' ? SHILLING : 1n
  const amount = distinctAmount(within.value, step, takenAmounts(input, asset))
  const legs = intoPool(input, asset, amount)
  if (!legs.ok) return legs
  const journey = { route: 'rebalance', payments: legs.value.length / 2, isOutOfPool: false } as const
  return ok({ ...drafted(input, legs.value, journey, amount), leastReceived: leastInPool(legs.value) })
}

/** Drafts a deposit of the LP's bank shillings: a person pays, in lots that a bank transfer carries. */
function bankDeposit(input: PlanInput, { asset, amount }: RefillWish): Result<Draft, string> {
  if (asset !== 'NTZS') return err('a bank brings only shillings')
  const rounded = amount + ((DEPOSIT_GRAIN - (amount % DEPOSIT_GRAIN)) % DEPOSIT_GRAIN)
  const within = withinCap(input, 'bank-deposit', POOL, asset, rounded)
  if (!within.ok) return within
  const total = within.value - (within.value % DEPOSIT_GRAIN)
  const rule = { least: LEAST_DEPOSIT, most: input.config.calendar.eft.mostALot, grain: DEPOSIT_GRAIN }
  const lots = splitLots(total, rule, takenAmounts(input, asset), MOST_DEPOSITS)
  if (lots === null)
    return err(
      `${formatTokens(total, asset)} NTZS fit only in part into ${MOST_DEPOSITS} transfers of up to ${formatTokens(rule.most, asset)}`,
    )
  // All lots wait for the payer together; each continues alone, so that arrived money is quoted at once.
  const legs: PlannedLeg[] = []
  for (const lot of lots) {
    const also = legs.filter(({ kind }) => kind === 'transfer').map((leg) => leg.amount)
    const inwards = intoPool(input, asset, lot, lot, also)
    if (!inwards.ok) return inwards
    legs.push(plainLeg('deposit', 'bank', 'treasury', asset, lot), ...inwards.value)
  }
  const draft = drafted(
    input,
    legs,
    { route: 'bank-deposit', payments: lots.length, isOutOfPool: false },
    total,
  )
  return ok({ ...draft, leastReceived: leastInPool(legs) })
}

/** Drafts a swap of a surplus token at the venue, as a taker. */
function swap(input: PlanInput, wish: RefillWish): Result<Draft, string> {
  const sources: readonly TreasuryAsset[] = wish.asset === 'NTZS' ? ['USDC', 'USDT'] : ['NTZS']
  const richest = sources.reduce((best, each) =>
    valueOf(input, wish.spare[each], each) > valueOf(input, wish.spare[best], best) ? each : best,
  )
  if (wish.spare[richest] <= 0n) return err(`no ${sources.join(' or ')} is above its target`)
  const value = valueOf(input, wish.amount, wish.asset)
  const needed = ofShillings(value + bpsOfAmount(value, expectedBps(input, 'swap')), richest, input.mid)
  if (needed === null) return err('there is no mid to price it by')
  return swapOf(input, wish.asset, richest, needed < wish.spare[richest] ? needed : wish.spare[richest])
}

function swapOf(
  input: PlanInput,
  to: TreasuryAsset,
  from: TreasuryAsset,
  wanted: bigint,
): Result<Draft, string> {
  const inTreasury = heldAt(input, 'treasury', from)
  // Funds in the treasury's wallet need no deactivation, so they come first if they are worth a movement.
  const isOutOfPool = inTreasury < wanted && inTreasury < input.config.policy.smallest[from]
  const there = isOutOfPool ? inPosition(input, from) : inTreasury
  const within = withinCap(input, 'swap', POOL, from, there < wanted ? there : wanted)
  if (!within.ok) return within
  const step = from === 'NTZS' ? SHILLING : 1n
  const amount = distinctAmount(within.value, step, takenAmounts(input, from))
  const terms = swapTerms(input, from, to, amount)
  if (!terms.ok) return terms
  const { most, minOutput } = terms.value
  const least = wholeUnits(minOutput, to)
  const inwards = intoPool(input, to, most, least)
  if (!inwards.ok) return inwards
  const legs: PlannedLeg[] = [
    ...(isOutOfPool ? [outOfPoolLeg(from, amount)] : []),
    {
      ...plainLeg('swap', 'treasury', 'treasury', from, amount),
      receiveAsset: to,
      leastReceived: minOutput,
    },
    ...inwards.value,
  ]
  const draft = drafted(input, legs, { route: 'swap', payments: 1, isOutOfPool }, amount)
  return ok({ ...draft, leastReceived: leastInPool(legs) })
}

/** Drafts dollars for the LP's phone shillings, directly into the LP wallet; one prompt, below a phone's limit. */
function onramp(input: PlanInput, { asset, amount }: RefillWish): Result<Draft, string> {
  if (asset !== 'USDC') return err('a ramp brings only USDC')
  const value = inShillings(amount, 'USDC', input.mid)
  if (value === null) return err('there is no mid to price it by')
  const wanted = value + bpsOfAmount(value, expectedBps(input, 'onramp'))
  const within = withinCap(
    input,
    'onramp',
    POOL,
    'NTZS',
    wanted < PAYOUT_BELOW ? wanted : PAYOUT_BELOW - SHILLING,
  )
  if (!within.ok) return within
  const spend = distinctAmount(within.value, SHILLING, takenAmounts(input, 'NTZS'))
  const most = ofShillings(spend, 'USDC', input.mid) ?? 0n
  const least = most - bpsOfAmount(most, ONRAMP_SLACK_BPS)
  const legs: PlannedLeg[] = [
    { ...plainLeg('onramp', 'phone', 'lpWallet', 'NTZS', spend), receiveAsset: 'USDC', leastReceived: least },
    activationLeg('USDC', most, least),
  ]
  return ok(drafted(input, legs, { route: 'onramp', payments: 1, isOutOfPool: false }, spend))
}

type Named = readonly [RouteName, RefillRoute]

/** From the treasury's wallet into the position. */
export const REBALANCE: Named = ['rebalance', rebalance]

/** The routes from outside, in display order. */
export const OUTSIDE_ROUTES: readonly Named[] = [
  ['bank-deposit', bankDeposit],
  ['swap', swap],
  ['onramp', onramp],
]

function drafted(
  input: PlanInput,
  legs: readonly PlannedLeg[],
  journey: Omit<Journey, 'value'>,
  spent: bigint,
): Draft {
  const [first, last] = [legs[0]!, legs.at(-1)!]
  const value = valueOf(input, spent, first.asset)
  return {
    route: journey.route,
    destination: POOL,
    legs,
    spendAsset: first.asset,
    mostSpent: spent,
    receiveAsset: last.receiveAsset,
    leastReceived: last.leastReceived,
    ...estimate(input, { ...journey, value }, input.now),
  }
}

function valueOf({ mid }: PlanInput, amount: bigint, asset: TreasuryAsset): bigint {
  return inShillings(amount, asset, mid) ?? 0n
}
