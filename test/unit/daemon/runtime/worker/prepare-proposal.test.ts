import { describe, expect, test } from 'vitest'
import { ok } from '../../../../../src/base/result.ts'
import { withChanges } from '../../../../../src/daemon/config/load/changes.ts'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import type { PreviewAnswer } from '../../../../../src/daemon/console/answers.ts'
import type { ProposalAsk } from '../../../../../src/daemon/console/position-port.ts'
import { MOST_OPEN } from '../../../../../src/core/engine/model/proposal-state.ts'
import {
  prepareProposal,
  type ProposalGrounds,
} from '../../../../../src/daemon/runtime/worker/prepare-proposal.ts'
import { envelopeText } from '../../../../../src/treasury/approvals/envelope.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { PAYOUT, REFILL, TreasuryHarness } from '../../../../support/treasury-harness.ts'

const quote = (bidBps: number | null, askBps: number) => ({
  bidBps,
  askBps,
  tradingState: 'ACTIVE',
  because: [],
})
const TRIED: PreviewAnswer = { ok: true, problem: null, before: quote(60, 70), after: quote(null, 80) }

/** What is in force: nothing of a proposal's own words decides what a person is shown. */
function grounds(change: Partial<ProposalGrounds> = {}): ProposalGrounds {
  return {
    openProposals: 0,
    isBoxFull: false,
    preview: async () => TRIED,
    running: () => coreConfig({}),
    configUnder: async (changes) => ok(withChanges(coreConfig({}), changes) as CoreConfig),
    treasury: null,
    ...change,
  }
}
const ask = (action: ProposalAsk['action']): ProposalAsk => ({ action, claim: 'a claim' })

describe('preparing a proposal', () => {
  test('of a configuration shows every setting as it is and would be, and the quote that would stand', async () => {
    const { quote: inForce } = coreConfig({})
    const changes = { 'quote.safeBps': 600, 'quote.pairs': ['NTZS-USDC'] }
    const prepared = await prepareProposal(ask({ kind: 'configuration', changes }), grounds())
    expect(prepared).toMatchObject({
      value: {
        claim: 'a claim',
        differences: [
          { what: 'quote.safeBps', from: String(inForce.safeBps), to: '600' },
          { what: 'quote.pairs', from: JSON.stringify(inForce.pairs), to: '["NTZS-USDC"]' },
          { what: 'quote now, bid/ask bps', from: '60/70', to: 'off/80' },
        ],
      },
    })
  })

  test('of a configuration shows what a whole branch replaces and what else has changed in the file, not only what is named', async () => {
    const core = coreConfig({})
    const after = {
      ...core,
      quote: { ...core.quote, safeBps: 600, ditherBps: 3 },
      risk: { ...core.risk, onHalt: core.risk.onHalt === 'safe' ? 'deactivate' : 'safe' },
    } as CoreConfig
    const wish = ask({ kind: 'configuration', changes: { quote: { safeBps: 600 } } })
    const prepared = await prepareProposal(wish, grounds({ configUnder: async () => ok(after) }))
    expect(prepared.ok && prepared.value.differences.map(({ what }) => what).toSorted()).toEqual([
      'quote now, bid/ask bps',
      'quote.ditherBps',
      'quote.safeBps',
      'risk.onHalt',
    ])
  })

  test('of a configuration with more than a person reads whole, or without a difference, is refused', async () => {
    const propose = (params: unknown) => {
      const core = coreConfig({})
      const after = { ...core, strategy: { ...core.strategy, params } } as CoreConfig
      const wish = ask({ kind: 'configuration', changes: { 'strategy.params': params } })
      return prepareProposal(wish, grounds({ configUnder: async () => ok(after) }))
    }
    expect(await propose({ text: 'x'.repeat(400) })).toMatchObject({
      ok: false,
      error: expect.stringContaining('strategy.params.text is too long to be shown'),
    })
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`p${n}`, n]))
    expect(await propose(many)).toMatchObject({ ok: false, error: expect.stringContaining('at most 40') })
    expect(await propose(coreConfig({}).strategy.params)).toMatchObject({
      ok: false,
      error: 'it would not change the running configuration',
    })
  })

  test('of a configuration that could not be reloaded, or that changes nothing, is refused', async () => {
    const problem = 'risk.x cannot be set here'
    const preview = async () => ({ ...TRIED, ok: false, problem, after: null })
    const wider = ask({ kind: 'configuration', changes: { 'risk.x': 1 } })
    expect(await prepareProposal(wider, grounds({ preview }))).toEqual({
      ok: false,
      error: expect.stringContaining(problem),
    })
    expect(await prepareProposal(ask({ kind: 'configuration', changes: {} }), grounds())).toMatchObject({
      ok: false,
    })
  })

  test.each([
    ['ten', { openProposals: MOST_OPEN }, '10 proposals are open already'],
    ['three of its token', { isBoxFull: true }, '3 proposals of this token are open already'],
  ])('is refused before anything is computed once %s wait', async (_many, waiting, why) => {
    let previews = 0
    const preview = async () => {
      previews += 1
      return TRIED
    }
    const wish = ask({ kind: 'configuration', changes: { 'quote.safeBps': 600 } })
    expect(await prepareProposal(wish, grounds({ ...waiting, preview }))).toMatchObject({
      ok: false,
      error: expect.stringContaining(why),
    })
    expect(previews).toBe(0)
  })

  test('of an approval keeps the envelope as it is now, and knows only intents that wait for one', async () => {
    const harness = new TreasuryHarness()
    const waiting = harness.plan('aa'.repeat(16), PAYOUT)
    const free = harness.plan('bb'.repeat(16), REFILL)
    const treasury = harness.state
    const prepare = (intent: string) =>
      prepareProposal(ask({ kind: 'approval', intent }), grounds({ treasury }))
    expect(await prepare(waiting.id)).toMatchObject({
      value: { action: { kind: 'approval', intent: waiting.id, envelope: envelopeText(waiting.envelope) } },
    })
    expect(await prepare(free.id)).toMatchObject({
      ok: false,
      error: expect.stringContaining('needs no approval'),
    })
    for (const unknown of ['ffffffff', '__proto__', 'constructor'])
      expect(await prepare(unknown)).toMatchObject({
        ok: false,
        error: expect.stringContaining('has no intent'),
      })
    expect(await prepareProposal(ask({ kind: 'approval', intent: waiting.id }), grounds())).toMatchObject({
      ok: false,
    })
  })

  test('of a withdrawal or a payout shows amount and destination exactly', async () => {
    const toAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const leaving = ask({ kind: 'withdrawal', asset: 'USDC', amount: 250_500_000n, toAddress })
    expect(await prepareProposal(leaving, grounds())).toMatchObject({
      value: { differences: [{ what: 'withdrawal', to: `250.5 USDC to ${toAddress}` }] },
    })
    const payout = ask({ kind: 'payout', payee: 'landlord', asset: 'NTZS', amount: 5n * 10n ** 18n })
    expect(await prepareProposal(payout, grounds())).toMatchObject({ ok: false })
    const treasury = new TreasuryHarness().state
    expect(await prepareProposal(payout, grounds({ treasury }))).toMatchObject({
      value: { differences: [{ what: 'payout', to: '5 NTZS to payee landlord' }] },
    })
  })
})
