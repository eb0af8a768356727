import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { decodeJson } from '../../../src/base/codec.ts'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import type { SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import type { Partner } from '../../../src/simulator/sandbox/partner/model/partner.ts'
import { createTreasury } from '../../../src/treasury/core/treasury.ts'
import type { TreasuryState } from '../../../src/treasury/state.ts'
import type { TreasuryEvent } from '../../../src/treasury/model/event.ts'
import { openMarket, type Market } from '../daemon/open-market.ts'
import type { ConfigPatch } from '../daemon/position-folder.ts'
import type { RunningDaemon } from '../daemon/running-daemon.ts'

export const PARTNER_KEY = 'svc_test_sandbox'
export const WEBHOOK_SECRET = 'whsec_test_sandbox'
/** The variables that the configuration of a treasury names. */
export const TREASURY_ENV = { PARTNER_KEY, WEBHOOK_SECRET } as const
const LP_WALLET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

export type TreasuryMarket = Omit<Market, 'start'> & {
  readonly partner: Partner
  readonly start: () => RunningDaemon
  /** All events of the treasury that are on disk. */
  readonly events: () => readonly TreasuryEvent[]
  /** The fold of what is on disk. */
  readonly state: () => Readonly<TreasuryState> | null
}

/**
 * A position whose shillings are below its band at the start: the refill is due at once. `treasury` goes over the section,
 * `venue` over the options of the simulated venue, `sections` are the other ones of the configuration.
 */
export async function openTreasuryMarket(
  treasury: ConfigPatch = {},
  venue: SandboxOptionsInput = {},
  sections: ConfigPatch = {},
): Promise<TreasuryMarket> {
  const opening = { NTZS: '1000000', USDC: '12000', USDT: '0' }
  const market = await openMarket({ opening, walletAddress: LP_WALLET, ...venue })
  const partner = partnerOf(market.venue)
  const config = market.folder.configure({
    ...sections,
    treasury: {
      ...treasuryAccount(market.venue),
      mode: 'live',
      policy: {
        bands: { NTZS: { target: '4000000', refillBelow: '3000000', skimAbove: '90000000' } },
        routes: ['bank-deposit', 'rebalance'],
      },
      approval: { freeRefill: { NTZS: '10000000' } },
      pollEveryMs: 400,
      ...treasury,
    },
  })
  const events = () => readTreasuryEvents(market.folder.store)
  return {
    ...market,
    config,
    partner,
    start: () => market.start(TREASURY_ENV),
    events,
    state() {
      const fold = createTreasury()
      for (const event of events()) fold.process(event)
      return fold.state()
    },
  }
}

function partnerOf({ model }: SandboxServer): Partner {
  return model.partner.partners.get(PARTNER_KEY) as Partner
}

/** The part of the `treasury` section that names the account at a simulated venue; its key is the variable PARTNER_KEY. */
export function treasuryAccount(venue: SandboxServer): ConfigPatch {
  return {
    partner: { baseUrl: venue.url, apiKey: '!env PARTNER_KEY' },
    userId: partnerOf(venue).ownerId,
    lpWallet: LP_WALLET,
  }
}

/** The events of the treasury in the store of this folder. */
export function readTreasuryEvents(store: string): readonly TreasuryEvent[] {
  let db: DatabaseSync
  try {
    db = new DatabaseSync(join(store, 'mizani.db'), { readOnly: true, timeout: 5_000 })
  } catch {
    // The daemon has not made it yet.
    return []
  }
  try {
    const rows = db.prepare('SELECT body FROM treasury_journal ORDER BY seq').all()
    return rows.map(({ body }) => decodeJson(String(body)) as TreasuryEvent)
  } catch {
    return []
  } finally {
    db.close()
  }
}
