import { ASSETS } from '../../../../base/money/asset.ts'
import { accountOf } from '../../market/accounts.ts'
import { addOwner, fundKey } from '../create.ts'
import { clearPayments } from '../kit/payments.ts'
import { settlePending } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'

/**
 * Wipes every user and transaction of a key, and opens it again: the liquidity provider's own user keeps its id and
 * its address. What is on its way ends first, without an event, so that no unit is left between two accounts;
 * what the wallets held leaves the venue.
 */
export function resetKey(partner: Partner): void {
  const { world, ownerId } = partner
  const sent = world.outbox.length
  settlePending(partner)
  world.outbox.length = sent
  const owner = ownerId === null ? undefined : partner.users.get(ownerId)
  const wallets = [
    partner.platformAddress,
    partner.settlementAddress,
    ...[...partner.users.values()].flatMap(({ walletAddress }) => walletAddress ?? []),
    ...[...partner.payments.subWallets.values()].map(({ address }) => address),
  ]
  for (const wallet of wallets) empty(partner, wallet)
  for (const records of [
    partner.users,
    partner.deposits,
    partner.withdrawals,
    partner.withdrawalQuotes,
    partner.keptOutcomes,
    partner.pending,
  ])
    records.clear()
  clearPayments(partner)
  fundKey(partner)
  if (owner?.walletAddress !== null && owner !== undefined) addOwner(partner, owner.id, owner.walletAddress)
}

function empty({ world: { venue } }: Partner, wallet: string): void {
  const account = accountOf(venue, wallet.toLowerCase())
  for (const asset of ASSETS) {
    venue.external[asset] += account[asset]
    account[asset] = 0n
  }
}
