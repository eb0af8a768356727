import { type TokenAmounts, ASSETS, formatTokens } from '../../../../base/money/asset.ts'
import { isoTime } from '../../state.ts'
import { describeMerchants, describePayments } from './describe-payments.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'

/** The partner block of GET /sandbox/state, as JSON without bigint. */
export function describePartners(world: PartnerWorld): object {
  const { settings, supply, nextAnswers, venue } = world
  return {
    keys: [...world.partners.values()].map(describeKey),
    accounts: Object.fromEntries([...venue.accounts].map(([name, amounts]) => [name, amountsText(amounts)])),
    supply: { mintedTzs: Number(supply.mintedTzs), burnedTzs: Number(supply.burnedTzs) },
    merchants: describeMerchants(world),
    settings,
    nextAnswers,
  }
}

function describeKey(partner: Partner): object {
  const owner = partner.ownerId === null ? undefined : partner.users.get(partner.ownerId)
  return {
    apiKey: partner.key,
    isLive: partner.isLive,
    name: partner.name,
    webhookUrl: partner.webhookUrl,
    owner: owner === undefined ? null : { userId: owner.id, walletAddress: owner.walletAddress },
    platformAddress: partner.platformAddress,
    settlementAddress: partner.settlementAddress,
    pending: [...partner.pending.keys()],
    users: [...partner.users.values()].map(({ createdAt, ...user }) => ({
      ...user,
      createdAt: isoTime(createdAt),
    })),
    deposits: [...partner.deposits.values()].map((deposit) => ({
      ...deposit,
      createdAt: isoTime(deposit.createdAt),
      amountTzs: Number(deposit.amountTzs),
      heldTzs: Number(deposit.heldTzs),
    })),
    withdrawals: [...partner.withdrawals.values()].map((payout) => ({
      ...payout,
      createdAt: isoTime(payout.createdAt),
      receiveTzs: Number(payout.receiveTzs),
      totalFeeTzs: Number(payout.totalFeeTzs),
      burnTzs: Number(payout.burnTzs),
    })),
    ...describePayments(partner),
  }
}

function amountsText(amounts: TokenAmounts): Readonly<Record<string, string>> {
  const held = ASSETS.filter((asset) => amounts[asset] !== 0n)
  return Object.fromEntries(held.map((asset) => [asset, formatTokens(amounts[asset], asset)]))
}
