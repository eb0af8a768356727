import { afterEach, expect, test } from 'vitest'
import type { LoadedTreasury } from '../../../src/config/load/treasury.ts'
import { Secret } from '../../../src/config/source/secret.ts'
import { createTreasuryPerformer } from '../../../src/runtime/treasury/perform.ts'
import type { PerformedEffect } from '../../../src/runtime/treasury/loop.ts'
import type { PerformTreasuryParts } from '../../../src/runtime/treasury/performing.ts'
import { accountOf } from '../../../src/sandbox/market/accounts.ts'
import { createPartnerClient, type PartnerClient } from '../../../src/treasury/api/client.ts'
import { KEYED_ROUTES } from '../../../src/treasury/model/keys.ts'
import type { TreasuryEffect } from '../../../src/treasury/model/effect.ts'
import { plannedLeg, plannedStep, TreasuryHarness, TZS, USD } from '../../support/treasury-harness.ts'
import { simulated } from './place.ts'

// A venue over HTTP that takes no notice of keys loses the answer to each kind of payment, with the payment carried out and
// without. The treasury with its real calls sends it once, whatever it finds.

const PHONE = '255754000111'
const LP_WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const LOST = [
  'reset-before',
  'reset-after',
  '500',
  '500-after',
  '503',
  'html',
  'malformed',
  'truncated',
] as const

const LANDLORD = {
  name: 'landlord',
  to: { kind: 'bank', bankCode: 'CRDB', accountNumber: '0150123456789' },
  isAdmitted: true,
} as const
const dollars = { asset: 'USDC', amount: 100n * USD } as const
const PAYMENTS = [
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

const opened: PartnerClient[] = []
afterEach(() => Promise.all(opened.splice(0).map((client) => client.close())))

/** Wants the shell to do something for a leg over HTTP. */
function isCall(effect: TreasuryEffect): effect is PerformedEffect {
  return /^(quote|prepare|transmit|read|find)$/.test(effect.type)
}

// The answer of a swap is a stream of lines, of which each is read by itself.
const CASES = PAYMENTS.flatMap(([route, leg]) => LOST.map((fault) => ({ route, leg, fault }))).filter(
  ({ leg, fault }) => leg.kind !== 'swap' || (fault !== 'malformed' && fault !== 'truncated'),
)

test.each(CASES)(
  '$route whose answer is lost ($fault) is one request, and a claim',
  async ({ route, leg, fault }) => {
    const keysIgnored = KEYED_ROUTES.map((keyed) => keyed.replace('POST ', ''))
    const owner = { NTZS: '5000000', USDC: '5000' }
    const { box, control } = await simulated({ partner: { owner, settings: { keysIgnored } }, speed: 100 })
    const partner = [...box.model.partner.partners.values()][0]
    const user = partner?.users.get(partner.ownerId ?? '')
    if (partner === undefined || user?.walletAddress == null) throw new Error('the venue has no owner')
    const harness = new TreasuryHarness({ userId: user.id, pollEveryMs: 3_600_000, payees: [LANDLORD] })
    const sent: string[] = []
    const client = createPartnerClient(
      { baseUrl: box.url, requestTimeoutMs: 20_000 },
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
    const work = async () => {
      for (
        let calls = harness.effects.filter(isCall);
        calls.length > 0;
        calls = harness.effects.filter(isCall)
      ) {
        harness.effects = []
        for (const call of calls) for (const event of await perform(call)) harness.give(event)
      }
    }
    const held = accountOf(box.model.state, user.walletAddress.toLowerCase())
    const before = { ...held }

    await control('inject', { nextRequest: { route, kind: fault } })
    const id = 'a'.repeat(32)
    const isOut = leg.to === 'bank' || leg.to === 'phone'
    harness.plan(
      id,
      plannedStep([leg], { route: isOut ? 'payout' : 'swap', direction: isOut ? 'out' : 'in' }),
    )
    for (const by of ['anna', 'bertha'])
      if (harness.intent(id).stage === 'awaiting_approval') harness.approve(id, by)
    for (let minutes = 0; minutes < 90; minutes++) {
      await work()
      harness.pass(60_000)
    }

    expect(harness.intent(id).legs[0]).toMatchObject({ stage: 'claim', attempts: [{ sendings: 1 }] })
    expect(sent.filter((one) => one === route)).toHaveLength(1)
    const { deposits, withdrawals, payments } = partner
    const resources = deposits.size + withdrawals.size + payments.settlements.size
    const left = before[leg.asset] - held[leg.asset]
    const isTransfer = leg.kind === 'transfer' || leg.kind === 'swap'
    expect([0, 1]).toContain(isTransfer ? Number(left / leg.amount) : resources)
  },
)
