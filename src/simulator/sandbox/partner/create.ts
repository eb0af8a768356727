import { invariant } from '../../../base/result.ts'
import { seededRandom } from '../../../base/random.ts'
import { type Asset, ASSETS, parseTokens } from '../../../base/money/asset.ts'
import { createRateLimit } from '../api/rate-limit.ts'
import { accountOf } from '../market/book.ts'
import type { VenueState } from '../state.ts'
import { createCommerce } from './commerce/accounts.ts'
import { newAddress, newId } from './kit/ids.ts'
import { settlePending } from './kit/schedule.ts'
import type { Partner, PartnerWorld } from './model/partner.ts'

/** A live key's lookups per minute; lookups of a test key use no quota. Source: contract, limits. */
const RECIPIENTS_A_MINUTE = 30
const MERCHANTS_A_MINUTE = 60

/** The partner API of a venue: the keys of the options, each with the liquidity provider's own user. */
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
  for (const key of [apiKey, ...(liveKey === null ? [] : [liveKey])]) {
    const isLive = key === liveKey
    const email = `${isLive ? 'live' : 'test'}@sandbox.invalid`
    const partner = createPartner(world, { key, webhookSecret, name: owner.name, email, isLive })
    addOwner(partner, newId(world), newAddress(world))
  }
  return world
}

/** A key with its platform wallet and its float, whose opening balances come from outside of the economy. */
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
    payments: {
      lookups: {
        recipient: createRateLimit(RECIPIENTS_A_MINUTE),
        merchant: createRateLimit(MERCHANTS_A_MINUTE),
      },
      spendQuotes: new Map(),
      spends: new Map(),
      rampQuotes: new Map(),
      settlements: new Map(),
      subWallets: new Map(),
      agents: new Map(),
      outgoings: [],
    },
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

/**
 * Removes every user and transaction of a key and opens it again: the liquidity provider's own user keeps its id and its
 * address. Pending payments end first, without an event, so that no unit remains between two accounts; the
 * balances of the wallets leave the venue.
 */
export function resetKey(partner: Partner): void {
  const { world, ownerId, payments } = partner
  const sent = world.outbox.length
  settlePending(partner)
  world.outbox.length = sent
  const owner = ownerId === null ? undefined : partner.users.get(ownerId)
  const wallets = [
    partner.platformAddress,
    partner.settlementAddress,
    ...[...partner.users.values()].flatMap(({ walletAddress }) => walletAddress ?? []),
    ...[...payments.subWallets.values()].map(({ address }) => address),
  ]
  for (const wallet of wallets) empty(partner, wallet)
  for (const records of [...Object.values(partner), ...Object.values(payments)]) {
    if (records instanceof Map) records.clear()
  }
  payments.outgoings.length = 0
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

/** The opening balances of the platform wallet and of the ramp's float. */
function fundKey({ world, platformAddress, settlementAddress }: Partner): void {
  fund(world, platformAddress, 'NTZS', world.options.platformNtzs)
  fund(world, settlementAddress, 'USDC', world.options.floatUsdc)
}

/** The liquidity provider's own user, verified and with the opening balance of the options. */
function addOwner(partner: Partner, id: string, walletAddress: string): void {
  const { world } = partner
  const { NTZS, USDC, ...owner } = world.options.owner
  partner.users.set(id, {
    id,
    ...owner,
    createdAt: world.venue.now,
    country: 'TZ',
    kycStatus: 'approved',
    nextStep: null,
    caseId: newId(world),
    walletAddress,
    isFrozen: false,
  })
  partner.ownerId = id
  fund(world, walletAddress, 'NTZS', NTZS)
  fund(world, walletAddress, 'USDC', USDC)
}

function fund({ venue }: PartnerWorld, address: string, asset: Asset, text: string): void {
  const amount = parseTokens(text, asset)
  invariant(amount.ok, `the options' schema accepted a bad amount of ${asset}`)
  accountOf(venue, address.toLowerCase())[asset] += amount.value
  venue.external[asset] -= amount.value
}
