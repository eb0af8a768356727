import { TOKEN_DECIMALS } from '../../../base/money/asset.ts'
import type { Answer } from '../api/request.ts'
import { performSwap, readSwapWish } from '../api/public-swap.ts'
import { accountOf } from '../market/book.ts'
import type { PartnerRequest } from './kit/request.ts'
import type { Partner } from './model/partner.ts'
import { checkBalance, checkMoving } from './money/caps.ts'
import { userSource } from './money/source.ts'
import { unitsAt } from './money/tokens.ts'

/**
 * POST /swap from a user's wallet: the taker's swap of the public route, with a wallet that the venue holds. A used
 * Idempotency-Key is refused and not replayed, as in the contract's rules of swaps.
 */
export function postSwap(partner: Partner, { body, idempotencyKey, key }: PartnerRequest): Answer {
  const { world } = partner
  const { venue } = world
  const wish = readSwapWish(venue, body)
  if ('status' in wish) return wish
  const { account } = userSource(partner, wish.userId)
  const { pair, amountIn } = wish
  // Different partners may use equal keys.
  const scopedKey = idempotencyKey === null ? null : `${key} ${idempotencyKey}`
  // The swap that used the key may have taken the funds, so a repetition is refused for its key rather than its balance.
  if (scopedKey === null || !venue.usedIdempotencyKeys.has(scopedKey)) {
    checkMoving(world, venue.options.rfq.solverWallet)
    checkBalance(world, unitsAt(world, account, pair.from), amountIn, TOKEN_DECIMALS[pair.from])
  }
  const held = accountOf(venue, account)
  return performSwap(venue, wish, scopedKey, (fill) => {
    held[fill.from] -= fill.amountIn
    venue.takers[fill.from] += fill.amountIn
    venue.takers[fill.to] -= fill.amountOut
    held[fill.to] += fill.amountOut
  })
}
