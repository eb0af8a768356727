import { err, ok, type Result } from '../../../base/result.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import type { Payee } from '../../model/config.ts'
import type { TreasuryPlace, TreasuryAsset } from '../../model/place.ts'
import type { PlanInput, PlannedLeg, RouteName } from '../../model/plan-types.ts'
import { inShillings, bpsOfAmount, SHILLING, wholeUnits } from '../units.ts'
import { estimate, expectedBps, mostFee } from './estimate.ts'
import { heldAt, inPosition, takenAmounts, withinCap, type Draft } from './feasibility.ts'
import { outOfPoolLeg, plainLeg, transferLeg } from './legs.ts'
import { distinctAmount, LEAST_PAYOUT, PAYOUT_BELOW, splitLots } from './lots.ts'
import { swapTerms } from './swap-terms.ts'
import { transferLots } from './transfers.ts'

/** A payout in base units of `asset`; fees are extra if shillings are paid as shillings. */
type PayoutWish = { readonly payee: Payee; readonly asset: TreasuryAsset; readonly amount: bigint }

type PayoutRoute = (input: PlanInput, wish: PayoutWish) => Result<Draft, string>

/** 41 payouts carry 40,000,000 TZS; a larger payout needs a separate decision. */
const MOST_LOTS = 60
const OFFRAMP_SLACK_BPS = 300

/** Drafts a payout of shillings to a bank account or a phone, or of a token to an address. */
function payout(input: PlanInput, wish: PayoutWish): Result<Draft, string> {
  const { payee, asset } = wish
  if (payee.to.kind === 'address') return toAddress(input, wish)
  const first = input.firstPayout(payee.name, 'NTZS')
  if (asset !== 'NTZS') {
    if (first === null) return byWayOfSwap(input, wish)
    return err(`${payee.name} has never been paid: ${formatTokens(first, 'NTZS')} NTZS come first`)
  }
  const net = first !== null && first < wish.amount ? first : wholeUnits(wish.amount, asset)
  const lots = payoutLots(input, net)
  if (!lots.ok) return lots
  const legs = lots.value.map((lot) => payoutLeg(payee, lot))
  const total = legs.reduce((sum, { amount }) => sum + amount, 0n)
  const cap = input.capsLeft('payout', payee.name, asset)
  if (cap !== null && cap < total)
    return err(
      `its cap leaves ${formatTokens(cap, asset)} NTZS, but this needs up to ${formatTokens(total, asset)}`,
    )
  const funded = fundTreasury(input, asset, total)
  if (!funded.ok) return funded
  return ok(drafted(input, 'payout', payee, [...funded.value, ...legs], asset, total, 'NTZS', net))
}

/** Drafts a transfer of a token directly to an address on the chain. */
function toAddress(input: PlanInput, { payee, asset, amount }: PayoutWish): Result<Draft, string> {
  if (asset === 'USDT') return err('a transfer moves only NTZS and USDC')
  const first = input.firstPayout(payee.name, asset)
  const wanted = first !== null && first < amount ? first : amount
  const within = withinCap(input, 'payout', payee.name, asset, wanted)
  // Orders by people and first payouts may be below the policy's smallest movement; an amount cut by a cap may not.
  const cap = input.capsLeft('payout', payee.name, asset)
  if (!within.ok && cap !== null && cap < wanted) return within
  const step = asset === 'NTZS' ? SHILLING : 1n
  const whole = wholeUnits(cap !== null && cap < wanted ? cap : wanted, asset)
  const spend = first === null ? distinctAmount(whole, step, takenAmounts(input, asset)) : whole
  const funded = fundTreasury(input, asset, spend)
  if (!funded.ok) return funded
  const lots = transferLots(input, asset, spend)
  if (!lots.ok) return lots
  // An address is booked as outside, like a bank; a first payout must arrive exactly.
  const sent = lots.value.map((lot): PlannedLeg => {
    const leg =
      first === null
        ? transferLeg('bank', asset, lot, lot)
        : plainLeg('transfer', 'treasury', 'bank', asset, lot)
    return { ...leg, payee: payee.name }
  })
  if (sent.some(({ leastReceived }) => leastReceived <= 0n))
    return err(`of ${formatTokens(amount, asset)} ${asset} nothing may be left after the fee`)
  const least = sent.reduce((sum, { leastReceived }) => sum + leastReceived, 0n)
  return ok(drafted(input, 'payout', payee, [...funded.value, ...sent], asset, spend, asset, least))
}

/** Drafts a payout of dollars that are first swapped to shillings at the venue. */
function byWayOfSwap(input: PlanInput, { payee, asset, amount }: PayoutWish): Result<Draft, string> {
  const within = withinCap(input, 'payout', payee.name, asset, amount)
  if (!within.ok) return within
  const spend = distinctAmount(within.value, 1n, takenAmounts(input, asset))
  const terms = swapTerms(input, asset, 'NTZS', spend)
  if (!terms.ok) return terms
  const { minOutput } = terms.value
  const fees = mostFee('payout', minOutput)
  const count = BigInt(Math.max(1, Number(minOutput / PAYOUT_BELOW) + 1))
  const net = wholeUnits(minOutput - fees - count * mostFee('payout', 0n), 'NTZS')
  const lots = payoutLots(input, net)
  if (!lots.ok) return lots
  const funded = fundTreasury(input, asset, spend)
  if (!funded.ok) return funded
  const legs: PlannedLeg[] = [
    ...funded.value,
    {
      ...plainLeg('swap', 'treasury', 'treasury', asset, spend),
      receiveAsset: 'NTZS',
      leastReceived: minOutput,
    },
    ...lots.value.map((lot) => payoutLeg(payee, lot)),
  ]
  const draft = drafted(input, 'payout', payee, legs, asset, spend, 'NTZS', net)
  const value = inShillings(spend, asset, input.mid) ?? 0n
  return ok({ ...draft, cost: draft.cost + bpsOfAmount(value, expectedBps(input, 'swap')) })
}

/** Drafts a payout of dollars from the ramp's float to a phone. */
function offramp(input: PlanInput, { payee, asset, amount }: PayoutWish): Result<Draft, string> {
  if (asset !== 'USDC') return err('a ramp pays out only from USDC')
  if (payee.to.kind !== 'phone') return err('a ramp pays only to phones')
  if (input.holdings.float === null) return err("the ramp's float could not be read")
  const first = input.firstPayout(payee.name, 'NTZS')
  if (first !== null)
    return err(`${payee.name} has never been paid: ${formatTokens(first, 'NTZS')} NTZS come first`)
  const within = withinCap(input, 'offramp', payee.name, asset, amount)
  if (!within.ok) return within
  const spend = distinctAmount(within.value, 1n, takenAmounts(input, asset))
  const value = inShillings(spend, asset, input.mid)
  if (value === null) return err('there is no mid to price it by')
  const net = wholeUnits(value - bpsOfAmount(value, OFFRAMP_SLACK_BPS), 'NTZS')
  const lots = payoutLots(input, net)
  if (!lots.ok) return lots
  const inFloat = heldAt(input, 'float', asset)
  const missing = spend > inFloat ? spend - inFloat : 0n
  const funded = missing === 0n ? ok<readonly PlannedLeg[]>([]) : fundTreasury(input, asset, missing)
  if (!funded.ok) return funded
  const sent = missing === 0n ? [] : [transferLeg('float', asset, missing, missing)]
  const shares = lots.value.map((lot) => (lot * spend) / net)
  const legs = lots.value.map((lot, index): PlannedLeg => ({
    ...plainLeg('offramp', 'float', 'phone', asset, shares[index]!),
    receiveAsset: 'NTZS',
    leastReceived: lot,
    payee: payee.name,
  }))
  return ok(drafted(input, 'offramp', payee, [...funded.value, ...sent, ...legs], asset, spend, 'NTZS', net))
}

export const PAYOUT_ROUTES: readonly (readonly [RouteName, PayoutRoute])[] = [
  ['payout', payout],
  ['offramp', offramp],
]

/** Returns the legs out of the pool after which the treasury's wallet holds `amount`; empty if it already does. */
function fundTreasury(
  input: PlanInput,
  asset: TreasuryAsset,
  amount: bigint,
): Result<readonly PlannedLeg[], string> {
  if (heldAt(input, 'treasury', asset) >= amount) return ok([])
  if (!input.quote.isActive) return err('the position is not active: nothing leaves its pool')
  if (inPosition(input, asset) >= amount) return ok([outOfPoolLeg(asset, amount)])
  return err(`neither the treasury's wallet nor the position holds ${formatTokens(amount, asset)} ${asset}`)
}

function payoutLots(input: PlanInput, net: bigint): Result<readonly bigint[], string> {
  if (net < LEAST_PAYOUT)
    return err(
      `${formatTokens(net, 'NTZS')} NTZS are less than the ${formatTokens(LEAST_PAYOUT, 'NTZS')} that a rail pays`,
    )
  // Amounts with and without fees stay below the limit, because the contract does not state which one counts.
  const most = PAYOUT_BELOW - SHILLING - mostFee('payout', PAYOUT_BELOW)
  const rule = { least: LEAST_PAYOUT, most, grain: SHILLING }
  const lots = splitLots(net, rule, takenAmounts(input, 'NTZS'), MOST_LOTS)
  if (lots !== null) return ok(lots)
  return err(
    `${formatTokens(net, 'NTZS')} NTZS do not divide into ${MOST_LOTS} payouts below ${formatTokens(PAYOUT_BELOW, 'NTZS')} that differ from open ones`,
  )
}

function payoutLeg({ name, to }: Payee, net: bigint): PlannedLeg {
  const place: TreasuryPlace = to.kind === 'phone' ? 'phone' : 'bank'
  const amount = net + mostFee('payout', net)
  return { ...plainLeg('withdrawal', 'treasury', place, 'NTZS', amount, net), payee: name }
}

function drafted(
  input: PlanInput,
  route: RouteName,
  { name }: Payee,
  legs: readonly PlannedLeg[],
  spendAsset: TreasuryAsset,
  mostSpent: bigint,
  receiveAsset: TreasuryAsset,
  leastReceived: bigint,
): Draft {
  const value = inShillings(mostSpent, spendAsset, input.mid) ?? 0n
  const payments = legs.filter(({ payee }) => payee !== null).length
  const isOutOfPool = legs.some(({ kind }) => kind === 'lpWithdrawal')
  const journey = { route, value, payments, isOutOfPool }
  return {
    route,
    destination: name,
    legs,
    spendAsset,
    mostSpent,
    receiveAsset,
    leastReceived,
    ...estimate(input, journey, input.now),
  }
}
