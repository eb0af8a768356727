import { afterEach } from 'vitest'
import type { LoadedTreasury } from '../../../src/daemon/config/load/treasury.ts'
import { Secret } from '../../../src/daemon/config/source/secret.ts'
import type { PerformedEffect } from '../../../src/daemon/runtime/treasury/treasury-loop.ts'
import { createTreasuryPerformer } from '../../../src/daemon/runtime/treasury/treasury-performer.ts'
import type { PerformTreasuryParts } from '../../../src/daemon/runtime/treasury/performer-parts.ts'
import { accountOf } from '../../../src/simulator/sandbox/market/book.ts'
import type { Partner } from '../../../src/simulator/sandbox/partner/model/partner.ts'
import { createPartnerClient, type PartnerClient } from '../../../src/treasury/api/client.ts'
import { KEYED_ROUTES } from '../../../src/treasury/model/keys.ts'
import type { TreasuryEffect } from '../../../src/treasury/model/effect.ts'
import type { Intent } from '../../../src/treasury/model/intent.ts'
import { plannedLeg, plannedStep, TreasuryHarness, TZS, USD } from '../../support/treasury-harness.ts'
import { simulated } from './place.ts'

const PHONE = '255754000111'
const LP_WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const LANDLORD = {
  name: 'landlord',
  to: { kind: 'bank', bankCode: 'CRDB', accountNumber: '0150123456789' },
  isAdmitted: true,
} as const
const dollars = { asset: 'USDC', amount: 100n * USD } as const
/** One step of each kind that is a money call, and its route. */
export const PAYMENTS = [
  ['POST /deposits', plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury', amount: 90_000n * TZS })],
  [
    'POST /transfers',
    plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: 80_000n * TZS }),
  ],
  [
    'POST /withdrawals',
    plannedLeg({
      kind: 'withdrawal',
      from: 'treasury',
      to: 'bank',
      amount: 70_000n * TZS,
      leastReceived: 60_000n * TZS,
      payee: 'landlord',
    }),
  ],
  [
    'POST /swap',
    plannedLeg({
      kind: 'swap',
      from: 'treasury',
      to: 'treasury',
      ...dollars,
      receiveAsset: 'NTZS',
      leastReceived: 200_000n * TZS,
    }),
  ],
  [
    'POST /ramp/offramp',
    plannedLeg({
      kind: 'offramp',
      from: 'float',
      to: 'phone',
      ...dollars,
      receiveAsset: 'NTZS',
      leastReceived: 100_000n * TZS,
    }),
  ],
  [
    'POST /ramp/onramp',
    plannedLeg({
      kind: 'onramp',
      from: 'phone',
      to: 'lpWallet',
      amount: 100_000n * TZS,
      receiveAsset: 'USDC',
      leastReceived: 10n * USD,
    }),
  ],
] as const

type PlannedLeg = (typeof PAYMENTS)[number][1]

const opened: PartnerClient[] = []
afterEach(() => Promise.all(opened.splice(0).map((client) => client.close())))

/** Wants the shell to do something for a leg over HTTP. */
function isCall(effect: TreasuryEffect): effect is PerformedEffect {
  return /^(quote|prepare|transmit|read|find)$/.test(effect.type)
}

export type PaidOverHttp = {
  readonly intent: Intent
  /** Routes of the requests, in order. */
  readonly sent: readonly string[]
  readonly partner: Partner
  /** How often the payment was made at the venue. */
  readonly payments: number
}

/**
 * The treasury with its real calls, at a venue over HTTP that takes no notice of keys: one payment that everybody agrees to,
 * and the 90 minutes after it, which pass for both. `spoil` is asked for what becomes of its answer; `through` puts something between the two.
 */
export async function payOverHttp(
  leg: PlannedLeg,
  spoil: (control: (path: string, body: object) => Promise<void>) => Promise<void>,
  through: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<PaidOverHttp> {
  const keysIgnored = KEYED_ROUTES.map((keyed) => keyed.replace('POST ', ''))
  const owner = { NTZS: '5000000', USDC: '5000' }
  const { box, control } = await simulated({ partner: { owner, settings: { keysIgnored } }, speed: 100 })
  const partner = [...box.model.partner.partners.values()][0]
  const user = partner?.users.get(partner.ownerId ?? '')
  if (partner === undefined || user?.walletAddress == null) throw new Error('the venue has no owner')
  const harness = new TreasuryHarness({ userId: user.id, payees: [LANDLORD] })
  const sent: string[] = []
  const client = createPartnerClient(
    { baseUrl: await through(box.url), requestTimeoutMs: 20_000 },
    { apiKey: partner.key },
    { now: () => harness.now, onRequest: (one) => sent.push(one) },
  )
  opened.push(client)
  const config = {
    core: harness.state.config,
    apiKey: new Secret(partner.key),
    lpWallet: LP_WALLET,
    phone: PHONE,
  } as LoadedTreasury
  const perform = createTreasuryPerformer({
    client,
    config: () => config,
    state: harness.treasury.state,
    clock: { now: () => harness.now },
    webhooks: () => [],
    chain: null,
    signal: AbortSignal.abort(),
    log: () => undefined,
  } as unknown as PerformTreasuryParts)
  const held = accountOf(box.model.state, user.walletAddress.toLowerCase())
  const before = { ...held }
  await spoil(control)
  const id = 'a'.repeat(32)
  const isOut = leg.to === 'bank' || leg.to === 'phone'
  const way = { route: isOut ? 'payout' : 'swap', direction: isOut ? 'out' : 'in' } as const
  harness.plan(id, plannedStep([leg], way))
  for (const by of ['anna', 'bertha'])
    if (harness.intent(id).stage === 'awaiting_approval') harness.approve(id, by)
  for (let minutes = 0; minutes < 90; minutes++) {
    for (let calls = harness.effects.filter(isCall); calls.length > 0;) {
      harness.effects = []
      for (const call of calls) for (const event of await perform(call)) harness.give(event)
      calls = harness.effects.filter(isCall)
    }
    harness.pass(60_000)
    await control('advance', { ms: 60_000 })
  }
  const { deposits, withdrawals, payments } = partner
  const resources = deposits.size + withdrawals.size + payments.settlements.size
  const left = before[leg.asset] - held[leg.asset]
  const isTransfer = leg.kind === 'transfer' || leg.kind === 'swap'
  const made = isTransfer ? Number(left / leg.amount) : resources
  return { intent: harness.intent(id), sent, partner, payments: made }
}
