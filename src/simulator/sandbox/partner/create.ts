import { invariant } from '../../../base/result.ts'
import { seededRandom } from '../../../base/random.ts'
import { type Asset, parseTokens } from '../../../base/money/asset.ts'
import { createRateLimit } from '../api/rate-limit.ts'
import { accountOf } from '../market/accounts.ts'
import type { VenueState } from '../state.ts'
import { createCommerce } from './commerce/merchants.ts'
import { newAddress, newId } from './kit/ids.ts'
import { createPayments } from './kit/payments.ts'
import type { Partner, PartnerWorld } from './model/partner.ts'
import type { PartnerUser } from './model/records.ts'

/** The partner API beside an LP side: the keys of the options, each with the liquidity provider's own user. */
export function createPartnerWorld(venue: VenueState): PartnerWorld {
  const { partner: options, seed } = venue.options
  const world: PartnerWorld = {
    venue,
    options,
    settings: options.settings,
    partners: new Map(),
    random: seededRandom(seed, 'sandbox partner'),
    supply: { mintedTzs: 0n, burnedTzs: 0n },
    commerce: createCommerce(venue),
    nextAnswers: [],
    outbox: [],
  }
  const { apiKey, liveKey, webhookSecret, owner } = options
  const keys = [apiKey, ...(liveKey === null ? [] : [liveKey])]
  for (const key of keys) {
    const isLive = key === liveKey
    const partner = createPartner(world, {
      key,
      webhookSecret,
      name: owner.name,
      email: `${isLive ? 'live' : 'test'}@sandbox.invalid`,
      isLive,
    })
    addOwner(partner, newId(world), newAddress(world))
  }
  return world
}

/** A key with its platform wallet and its float, which is booked in the economy as brought from outside. */
export function createPartner(
  world: PartnerWorld,
  wanted: Pick<Partner, 'key' | 'webhookSecret' | 'name' | 'email' | 'isLive'>,
): Partner {
  const { options } = world
  const partner: Partner = {
    ...wanted,
    world,
    webhookUrl: options.webhookUrl,
    platformAddress: newAddress(world),
    settlementAddress: newAddress(world),
    users: new Map(),
    payments: createPayments(),
    deposits: new Map(),
    withdrawals: new Map(),
    withdrawalQuotes: new Map(),
    ownerId: null,
    keptOutcomes: new Map(),
    pending: new Map(),
    requestLimit: createRateLimit(options.requestsPerMinute),
  }
  world.partners.set(partner.key, partner)
  fundKey(partner)
  return partner
}

/** The opening balances of the platform wallet and of the ramp's float. */
export function fundKey({ world, platformAddress, settlementAddress }: Partner): void {
  fund(world, platformAddress, 'NTZS', world.options.platformNtzs)
  fund(world, settlementAddress, 'USDC', world.options.floatUsdc)
}

/** The liquidity provider's own user, verified and with the opening balance of the options. */
export function addOwner(partner: Partner, id: string, walletAddress: string): PartnerUser {
  const { world } = partner
  const { externalId, email, name, phone, nidaNumber, NTZS, USDC } = world.options.owner
  const user: PartnerUser = {
    id,
    externalId,
    email,
    name,
    phone,
    nidaNumber,
    createdAt: world.venue.now,
    country: 'TZ',
    kycStatus: 'approved',
    nextStep: null,
    caseId: newId(world),
    walletAddress,
    isFrozen: false,
  }
  partner.users.set(id, user)
  partner.ownerId = id
  fund(world, walletAddress, 'NTZS', NTZS)
  fund(world, walletAddress, 'USDC', USDC)
  return user
}

function fund({ venue }: PartnerWorld, address: string, asset: Asset, text: string): void {
  const amount = parseTokens(text, asset)
  invariant(amount.ok, `the options' schema let a bad amount of ${asset} through`)
  accountOf(venue, address.toLowerCase())[asset] += amount.value
  venue.external[asset] -= amount.value
}
