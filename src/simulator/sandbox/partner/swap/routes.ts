import { TOKEN_DECIMALS } from '../../../../base/money/asset.ts'
import { performSwap, readSwapWish } from '../../api/public-swap.ts'
import { accountOf } from '../../market/accounts.ts'
import { userSource } from '../money/funding.ts'
import { isRefusal, type PartnerAnswer, type PartnerRequest, type PartnerRoute } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import { refuseFunds } from '../money/funds.ts'
import { simulatedBalanceOf } from '../money/tokens.ts'

/**
 * POST /swap of a user's wallet: the taker's swap of the public route, with a wallet that the venue knows. A
 * used Idempotency-Key is refused and not replayed, as the contract's rules of swaps have it.
 */
function swap(partner: Partner, { body, idempotencyKey, key }: PartnerRequest): PartnerAnswer {
  const { world } = partner
  const { venue } = world
  const wish = readSwapWish(venue, body)
  if ('status' in wish) return wish
  const wallet = userSource(partner, wish.userId)
  if (isRefusal(wallet)) return wallet
  const { pair, amountIn } = wish
  // One user's key is not another partner's.
  const scopedKey = idempotencyKey === null ? null : `${key} ${idempotencyKey}`
  // The swap that used the key may have taken the funds: its repetition is refused for the key, not for want of them.
  const isUsed = scopedKey !== null && venue.usedIdempotencyKeys.has(scopedKey)
  const refused = isUsed
    ? null
    : refuseFunds(world, {
        available: simulatedBalanceOf(world, wallet.account, pair.from),
        requested: amountIn,
        unit: 10n ** BigInt(TOKEN_DECIMALS[pair.from]),
        destination: venue.options.rfq.solverWallet,
      })
  if (refused !== null) return refused
  const held = accountOf(venue, wallet.account)
  return performSwap(venue, wish, scopedKey, (fill) => {
    held[fill.from] -= fill.amountIn
    venue.takers[fill.from] += fill.amountIn
    venue.takers[fill.to] -= fill.amountOut
    held[fill.to] += fill.amountOut
  })
}

export const SWAP_ROUTES: readonly PartnerRoute[] = [
  {
    method: 'POST',
    path: '/swap',
    capability: 'swap',
    isIdempotent: false,
    onlyPartners: true,
    answer: swap,
  },
]
