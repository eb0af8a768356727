import { DAY_MS, HOUR_MS, type Ms } from '../../../base/time.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import { formatRate, RATE_ONE } from '../../../base/money/rate.ts'
import { divide } from '../../../base/money/rounding.ts'
import { MAX_UINT128, type Hex, type RfqOrder } from '../../../core/rfq/rfq-order.ts'
import type { SigningFailure } from '../order-signer.ts'
import { atRiskUsd, dollarSide, liveRecords, liveOrdersUsd } from './policy-state.ts'
import { pinnedSolver, signedLastMinute, stopAtOf, type PolicyState } from './policy-state.ts'
import {
  isSameAddress,
  LONGEST_LIFE_MS,
  policyRefusal,
  type OrderRequest,
  type SigningPolicy,
} from './signing-policy.ts'

const UINT256 = 1n << 256n

/** The input of a rule: the request, and the signer's own memory, settings and clock. */
export type OrderCheck = OrderRequest & {
  readonly wallet: Hex
  readonly state: PolicyState
  readonly policy: SigningPolicy
  readonly now: Ms
}

type Rule = (check: OrderCheck) => SigningFailure | null

/**
 * The rules in order; the first refusal gives the code. An order is signed only if every rule permits it: each
 * comparison refuses a value that cannot be compared.
 */
const RULES: readonly Rule[] = [
  domainRule,
  partiesRule,
  shapeRule,
  corridorRule,
  sizeRule,
  outstandingRule,
  atRiskRule,
  frequencyRule,
  lifeRule,
  repetitionRule,
  stopRule,
  clockRule,
]

/** Returns why the order must not be signed; null = every rule permits it. Pure. */
export function checkOrder(check: OrderCheck): SigningFailure | null {
  for (const rule of RULES) {
    const refused = rule(check)
    if (refused !== null) return refused
  }
  return null
}

function domainRule({ domain, policy }: OrderCheck): SigningFailure | null {
  const { chainId, exchange } = policy.domain
  if (domain.chainId === chainId && isSameAddress(domain.exchange, exchange)) return null
  return policyRefusal(
    'SIGN_WRONG_DOMAIN',
    `the order is for exchange ${domain.exchange} on chain ${domain.chainId}, but the signer's is ${exchange} on chain ${chainId}`,
  )
}

function partiesRule({ order, wallet, state, policy }: OrderCheck): SigningFailure | null {
  if (!isSameAddress(order.maker, wallet))
    return policyRefusal(
      'SIGN_WRONG_MAKER',
      `the order's maker is ${order.maker}, but this is the key of ${wallet}`,
    )
  const solver = pinnedSolver(state) ?? policy.solver
  if (solver === null)
    return policyRefusal(
      'SIGN_NO_SOLVER',
      'no solver is pinned; `mizani custody enable` pins the one that you confirm',
    )
  const elsewhere = state.shared?.solver ?? solver
  const here = state.solver ?? policy.solver ?? solver
  if (!isSameAddress(elsewhere, here))
    return policyRefusal(
      'SIGN_WRONG_SOLVER',
      `this machine's signer signs for ${here}, and ${elsewhere} was pinned on another machine; \`mizani custody enable\` on this one pins the right one for all`,
    )
  if (!isSameAddress(order.taker, solver) || !isSameAddress(order.txOrigin, solver)) {
    const { taker, txOrigin } = order
    return policyRefusal(
      'SIGN_WRONG_SOLVER',
      `the order is for taker ${taker} and origin ${txOrigin}, but the pinned solver is ${solver}`,
    )
  }
  if (dollarSide(order, policy.tokens) !== null) return null
  const { makerToken, takerToken } = order
  return policyRefusal(
    'SIGN_WRONG_TOKEN',
    `${makerToken} against ${takerToken} is not the shilling against a dollar of the configuration`,
  )
}

function shapeRule({ order: { makerAmount, takerAmount, salt, pool } }: OrderCheck): SigningFailure | null {
  const fits = (amount: bigint) => amount > 0n && amount <= MAX_UINT128
  if (!fits(makerAmount) || !fits(takerAmount))
    return policyRefusal(
      'SIGN_BAD_AMOUNT',
      `${makerAmount} against ${takerAmount}: amounts are 1 to 2^128 - 1`,
    )
  if (salt >= 0n && salt < UINT256 && /^0x[0-9a-fA-F]{64}$/.test(pool)) return null
  return policyRefusal('SIGN_MALFORMED', 'the salt is not a uint256, or the pool not 32 bytes')
}

/** Compares without a division, so that rounding cannot admit a price. */
function corridorRule({ order, policy }: OrderCheck): SigningFailure | null {
  const { corridor } = policy
  if (corridor === null)
    return policyRefusal(
      'SIGN_NO_CORRIDOR',
      'risk.priceCorridor is not configured, and no price is accepted without it',
    )
  const { usd, shillings } = sidesOf(order, policy)
  const scaled = shillings * RATE_ONE
  if (scaled >= corridor.min * usd && scaled <= corridor.max * usd) return null
  const price = formatRate(divide(scaled, usd, 'down'))
  return policyRefusal(
    'SIGN_OUTSIDE_CORRIDOR',
    `its price of ${price} TZS per USD is outside risk.priceCorridor, ${formatRate(corridor.min)} to ${formatRate(corridor.max)}`,
  )
}

function sizeRule({ order, policy }: OrderCheck): SigningFailure | null {
  const { usd } = sidesOf(order, policy)
  if (usd > 0n && usd <= policy.maxOrderUsd) return null
  return policyRefusal(
    'SIGN_ORDER_TOO_LARGE',
    `the order is for ${dollars(usd)} USD, but rfq.maxOrderUsd is ${dollars(policy.maxOrderUsd)}`,
  )
}

function outstandingRule({ order, policy, state }: OrderCheck): SigningFailure | null {
  const total = liveOrdersUsd(state) + sidesOf(order, policy).usd
  if (total <= policy.maxOutstandingUsd) return null
  return policyRefusal(
    'SIGN_OUTSTANDING_LIMIT',
    `with it ${dollars(total)} USD of signatures would be live, but rfq.maxOutstandingUsd is ${dollars(policy.maxOutstandingUsd)}`,
  )
}

function atRiskRule({ order, policy, state, now }: OrderCheck): SigningFailure | null {
  const { usd } = sidesOf(order, policy)
  const windows = [
    ['SIGN_HOURLY_LIMIT', 'an hour', HOUR_MS, policy.maxAtRiskUsdPerHour, 'rfq.maxAtRiskUsdPerHour'],
    ['SIGN_DAILY_LIMIT', 'a day', DAY_MS, policy.maxAtRiskUsdPerDay, 'rfq.maxAtRiskUsdPerDay'],
  ] as const
  for (const [code, window, ms, limit, name] of windows) {
    const total = atRiskUsd(state, now, ms) + usd
    if (total <= limit) continue
    return policyRefusal(
      code,
      `with it ${dollars(total)} USD would be live or filled within ${window}, but ${name} is ${dollars(limit)}`,
    )
  }
  return null
}

function frequencyRule({ policy, state, now }: OrderCheck): SigningFailure | null {
  const { maxSignaturesPerMinute } = policy
  if (signedLastMinute(state, now) + 1 <= maxSignaturesPerMinute) return null
  return policyRefusal(
    'SIGN_TOO_MANY',
    `${maxSignaturesPerMinute} orders were signed within a minute, and rfq.maxSignaturesPerMinute allows no more`,
  )
}

function lifeRule({ order: { expiry }, policy, now }: OrderCheck): SigningFailure | null {
  const leftMs = Number(expiry) * 1_000 - now
  if (!(leftMs > 0)) return policyRefusal('SIGN_EXPIRED', `the order's expiry ${expiry} has passed`)
  if (leftMs <= policy.maxLifeMs && leftMs <= LONGEST_LIFE_MS) return null
  const most = Math.min(policy.maxLifeMs, LONGEST_LIFE_MS)
  return policyRefusal(
    'SIGN_EXPIRES_TOO_LATE',
    `the order's expiry ${expiry} is ${leftMs} ms away, but rfq.maxLifeMs is ${most}`,
  )
}

/** Each salt exceeds the last, and identical terms are not live twice under two salts. */
function repetitionRule({ order, state }: OrderCheck): SigningFailure | null {
  const { lastSalt } = state
  if (lastSalt !== null && !(order.salt > lastSalt))
    return policyRefusal(
      'SIGN_SALT_REUSED',
      `its salt ${order.salt} is not above ${lastSalt}, the last used salt`,
    )
  const twin = liveRecords(state).find((live) => hasSameTerms(live.order, order))
  if (twin === undefined) return null
  return policyRefusal('SIGN_DUPLICATE', `order ${twin.order.salt} with the same terms is live`)
}

function stopRule({ state, now }: OrderCheck): SigningFailure | null {
  const stopAt = stopAtOf(state)
  if (stopAt === null || now < stopAt) return null
  return policyRefusal(
    'SIGN_STOPPED',
    `an operator stopped the signer at ${new Date(stopAt).toISOString()}; \`mizani rfq stop-at never\` lifts it`,
  )
}

/** The chain's clock must agree with the signer's, because a clock set forward would empty the time windows. */
function clockRule({ state, policy, now }: OrderCheck): SigningFailure | null {
  const { head } = state
  if (head === null) return policyRefusal('SIGN_CHAIN_UNSEEN', 'the signer has not read the chain yet')
  const ageMs = now - Math.min(head.t, head.readAt)
  if (!(ageMs <= policy.maxChainLagMs))
    return policyRefusal(
      'SIGN_CHAIN_UNSEEN',
      `the newest block that the signer has read is ${ageMs} ms old by its clock, but rfq.maxChainLagMs is ${policy.maxChainLagMs}`,
    )
  const aheadMs = head.t - head.readAt
  if (aheadMs <= policy.maxClockOffsetMs && now - head.readAt >= 0) return null
  return policyRefusal(
    'SIGN_CLOCK',
    `the chain's clock is ${aheadMs} ms ahead of the signer's, which may have been set back; rfq.maxClockOffsetMs is ${policy.maxClockOffsetMs}`,
  )
}

/** An earlier rule ensures that one side is the shilling and the other a dollar. */
function sidesOf(
  order: RfqOrder,
  policy: SigningPolicy,
): { readonly usd: bigint; readonly shillings: bigint } {
  return dollarSide(order, policy.tokens) ?? { usd: 0n, shillings: 0n }
}

function hasSameTerms(a: RfqOrder, b: RfqOrder): boolean {
  return (
    isSameAddress(a.makerToken, b.makerToken) &&
    isSameAddress(a.takerToken, b.takerToken) &&
    a.makerAmount === b.makerAmount &&
    a.takerAmount === b.takerAmount &&
    a.expiry === b.expiry
  )
}

/** Whole and fractional dollars of an amount with 18 decimals. */
function dollars(usd: bigint): string {
  return formatDecimalText(usd, 18)
}
