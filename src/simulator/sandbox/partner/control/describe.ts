import { type TokenAmounts, ASSETS, formatTokens } from '../../../../base/money/asset.ts'
import { isoTime } from '../../state.ts'
import { withNumbers } from '../kit/request.ts'
import type { Merchant } from '../model/commerce.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import { shillingsAt } from '../money/tokens.ts'

/** The partner block of GET /sandbox/state, as JSON without bigint. */
export function describePartners(world: PartnerWorld): object {
  const { settings, supply, nextAnswers, venue, partners, commerce } = world
  const accounts = [...venue.accounts].map(([name, amounts]) => [name, amountsText(amounts)])
  return withNumbers({
    keys: [...partners.values()].map(describeKey),
    accounts: Object.fromEntries(accounts),
    supply,
    merchants: [...commerce.merchants.values()].map((merchant) => describeMerchant(world, merchant)),
    settings,
    nextAnswers,
  }) as object
}

function describeKey(partner: Partner): object {
  const { key, isLive, name, webhookUrl, platformAddress, settlementAddress, users, payments } = partner
  const owner = partner.ownerId === null ? undefined : users.get(partner.ownerId)
  return {
    apiKey: key,
    isLive,
    name,
    webhookUrl,
    owner: owner === undefined ? null : { userId: owner.id, walletAddress: owner.walletAddress },
    platformAddress,
    settlementAddress,
    pending: [...partner.pending.keys()],
    users: describeRecords(users),
    deposits: describeRecords(partner.deposits),
    withdrawals: describeRecords(partner.withdrawals),
    spends: describeRecords(payments.spends),
    settlements: describeRecords(payments.settlements),
    subWallets: describeRecords(payments.subWallets),
    agents: describeRecords(payments.agents),
  }
}

/** Returns every record with times in ISO form and dollars as decimal text. */
function describeRecords(records: ReadonlyMap<string, object>): readonly object[] {
  const shown = (name: string, value: unknown) => {
    if (typeof value === 'number' && (name === 'createdAt' || name === 'expiresAt')) return isoTime(value)
    return typeof value === 'bigint' && name === 'usdc' ? formatTokens(value, 'USDC') : value
  }
  return [...records.values()].map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, shown(name, value)])),
  )
}

/** A merchant that can be paid by its handle. */
function describeMerchant(world: PartnerWorld, merchant: Merchant): object {
  const { id, handle, businessName, isAvailable, walletAddress, drawnTzs, links, collections } = merchant
  const balanceTzs = shillingsAt(world, walletAddress)
  const counts = { links: [...links.keys()], sales: collections.length }
  return { merchantId: id, handle, businessName, isAvailable, balanceTzs, drawnTzs, ...counts }
}

function amountsText(amounts: TokenAmounts): Readonly<Record<string, string>> {
  const held = ASSETS.filter((asset) => amounts[asset] !== 0n)
  return Object.fromEntries(held.map((asset) => [asset, formatTokens(amounts[asset], asset)]))
}
