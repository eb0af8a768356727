import { formatTokens } from '../../../../base/money/asset.ts'
import { isoTime } from '../../state.ts'
import { merchantBalance } from '../commerce/merchants.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'

/** What a key pays with and has paid, in the partner block of GET /sandbox/state. */
export function describePayments({ payments }: Partner): object {
  return {
    spends: [...payments.spends.values()].map((spend) => ({
      ...spend,
      principalTzs: Number(spend.principalTzs),
      railFeeTzs: Number(spend.railFeeTzs),
      platformFeeTzs: Number(spend.platformFeeTzs),
    })),
    settlements: [...payments.settlements.values()].map((settlement) => ({
      ...settlement,
      createdAt: isoTime(settlement.createdAt),
      usdc: formatTokens(settlement.usdc, 'USDC'),
      tzs: Number(settlement.tzs),
      feeTzs: Number(settlement.feeTzs),
      fromTokenTzs: Number(settlement.fromTokenTzs),
    })),
    subWallets: [...payments.subWallets.values()],
    agents: [...payments.agents.values()].map((agent) => ({
      ...agent,
      expiresAt: agent.expiresAt === null ? null : isoTime(agent.expiresAt),
      perTransactionTzs: agent.perTransactionTzs === null ? null : Number(agent.perTransactionTzs),
      dailyTzs: agent.dailyTzs === null ? null : Number(agent.dailyTzs),
    })),
  }
}

/** Every merchant that can be paid by its handle, the samples included. */
export function describeMerchants(world: PartnerWorld): readonly object[] {
  return [...world.commerce.merchants.values()].map((merchant) => ({
    merchantId: merchant.id,
    handle: merchant.handle,
    businessName: merchant.businessName,
    isAvailable: merchant.isAvailable,
    balanceTzs: Number(merchantBalance(world, merchant)),
    drawnTzs: Number(merchant.drawnTzs),
    links: [...merchant.links.keys()],
    sales: merchant.collections.length,
  }))
}
