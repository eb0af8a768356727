import { DAY_MS } from '../../../../base/time.ts'
import { hasField, plainText } from '../kit/fields.ts'
import { readEndUser, readSource, userSource } from '../money/funding.ts'
import { isRefusal, type PartnerRefusal, type PartnerRequest, refuse } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerDeposit } from '../model/records.ts'

type Payee = Pick<PartnerDeposit, 'userId' | 'walletAddress' | 'endUser'>

/** Source: contract, limits. */
const BEFORE_KYB_TZS = 100_000n
const SANDBOX_LIMITS = [
  { limitTzs: 1_000_000n, periodMs: 0 },
  { limitTzs: 2_000_000n, periodMs: DAY_MS },
  { limitTzs: 60_000_000n, periodMs: 30 * DAY_MS },
] as const

/** Whose wallet is paid into: a user's, or the platform wallet, which has allowances and limits. */
export function readPayee(
  partner: Partner,
  body: PartnerRequest['body'],
  amountTzs: bigint,
): Payee | PartnerRefusal {
  const userId = hasField(body, 'userId') ? plainText(body, 'userId') : null
  const user = userId === null ? null : userSource(partner, userId)
  if (user !== null && isRefusal(user)) return user
  if (userId !== null && body['collectToTreasury'] !== true) {
    const walletAddress = partner.users.get(userId)?.walletAddress ?? ''
    return { userId, walletAddress, endUser: null }
  }
  const platform = readSource(partner, { fromTreasury: true })
  if (isRefusal(platform)) return platform
  // With a userId the user is the tracking reference, and no end user has to be named.
  const endUser = readEndUser(platform, body)
  if (endUser !== null && isRefusal(endUser) && userId === null) return endUser
  const refusal = refuseCollection(partner, amountTzs)
  if (refusal !== null) return refusal
  const named = endUser === null || isRefusal(endUser) ? null : endUser
  return { userId, walletAddress: partner.platformAddress, endUser: named }
}

/** What speaks against so many shillings more in the platform wallet. What failed does not count. */
function refuseCollection(partner: Partner, amountTzs: bigint): PartnerRefusal | null {
  const { settings, venue } = partner.world
  const collected = [...partner.deposits.values()].filter(
    ({ walletAddress, status }) => walletAddress === partner.platformAddress && status !== 'failed',
  )
  const since = (at: number) =>
    collected.filter(({ createdAt }) => createdAt > at).reduce((sum, deposit) => sum + deposit.amountTzs, 0n)
  const used = since(Number.NEGATIVE_INFINITY)
  if (settings.kyb !== 'approved' && used + amountTzs > BEFORE_KYB_TZS)
    return refuse('kyb_required', 'the allowance before an approved KYB is used up', {
      allowanceTzs: Number(BEFORE_KYB_TZS),
      usedTzs: Number(used),
    })
  for (const { limitTzs, periodMs } of partner.isLive ? [] : SANDBOX_LIMITS) {
    const usedInPeriod = periodMs === 0 ? 0n : since(venue.now - periodMs)
    if (usedInPeriod + amountTzs <= limitTzs) continue
    return refuse(settings.limitCode, "above the sandbox's limit of the platform wallet", {
      limit: Number(limitTzs),
      requested: Number(amountTzs),
      usedInPeriod: Number(usedInPeriod),
    })
  }
  return null
}
