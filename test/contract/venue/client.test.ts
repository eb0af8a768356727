import { describe, expect, test } from 'vitest'
import type { VenueClient } from '../../../src/venue/client.ts'
import type { CheckResult } from '../../../src/venue/check-result.ts'
import { failureOf, valueOf } from '../../unit/venue/read-answer.ts'
import { describeVenue } from './describe-venue.ts'
import { makeSimulatedVenue, SPREAD, swapBothWays, venue } from './simulated-venue.ts'

describeVenue('the LP API', (wish) => makeSimulatedVenue(wish))

describe('the client of the LP API', () => {
  test.each(['divide', 'multiply'] as const)(
    'a spread is read back on both sides, priced by %s',
    async (bidFormula) => {
      const { client } = await venue({ bidFormula })
      expect(valueOf(await client.spread(SPREAD)).spread).toEqual(SPREAD)
      const now = () => 0
      expect(await client.perform({ type: 'readQuote', id: 1, side: 'bid' }, now)).toMatchObject({
        type: 'quoteRead',
        side: 'bid',
        spreadBps: SPREAD.bidBps,
        protocolFeeBps: 10,
        formula: bidFormula,
      })
      expect(await client.perform({ type: 'readQuote', id: 2, side: 'ask' }, now)).toMatchObject({
        side: 'ask',
        spreadBps: SPREAD.askBps,
        formula: null,
      })
    },
  )

  test('a PATCH of /activate is refused', async () => {
    const { client } = await venue({}, { activateMethod: 'PATCH' })
    expect(failureOf(await client.activate(true))).toMatchObject({ status: 404, outcome: 'failed' })
  })

  test('the public rate shows the best spread of each side without the key', async () => {
    const { client, box } = await venue({ isActive: true }, {}, { apiKey: 'an unknown key' })
    box.model.state.ours.bidBps = 12
    box.model.state.ours.askBps = 11
    const ask = valueOf(await client.swapRate({ side: 'ask', probe: 100_000_000n }))
    expect(ask).toMatchObject({
      mid: box.model.state.mid,
      bestBps: 11,
      protocolFeeBps: 10,
      lowLiquidity: false,
    })
    const bid = valueOf(await client.swapRate({ side: 'bid', probe: 250_000n * 10n ** 18n }))
    expect(bid).toMatchObject({ side: 'bid', bestBps: 12 })
  })

  test('the check passes a venue without a problem', async () => {
    const { client } = await venue({ isActive: true, startMs: Date.now() })
    const findings = await findingsOf(client)
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([])
    expect(findings.map(({ name }) => name)).toEqual([
      'venue',
      'key',
      'activation',
      'clock',
      'rate',
      'quote bid',
      'formula bid',
      'quote ask',
      'formula ask',
      'balances',
      'fills',
      'public rate',
    ])
    const rate = findings.find(({ name }) => name === 'rate')
    expect(rate).toMatchObject({ status: 'ok' })
  })
})

describe('one kind of venue, or a check', () => {
  test('a shilling address that no one named is the one opposite a known dollar', async () => {
    const { client, box } = await venue({ venue: 'measured', isActive: true }, { tokens: {} })
    valueOf(await client.spread(SPREAD))
    swapBothWays(box, 1)
    const fills = await client.perform({ type: 'readFills', id: 1 }, () => 0)
    expect(fills).toMatchObject({
      fills: [
        { side: 'ask', outAsset: 'NTZS' },
        { side: 'bid', inAsset: 'NTZS' },
      ],
      quarantined: [],
    })
  })

  test('an address that is not the shilling the settings name is quarantined, and the check says what to do', async () => {
    const named = { [`0x${'1'.repeat(40)}`]: 'NTZS' as const }
    const { client, box } = await venue({ venue: 'measured', isActive: true }, { tokens: named })
    valueOf(await client.spread(SPREAD))
    swapBothWays(box, 1)
    const fills = await client.perform({ type: 'readFills', id: 1 }, () => 0)
    expect(fills).toMatchObject({
      fills: [],
      quarantined: [{ reason: expect.stringMatching(/no token/) }, { reason: expect.any(String) }],
    })
    const finding = (await findingsOf(client)).find(({ name }) => name === 'fills')
    expect(finding).toMatchObject({ status: 'warn', hint: expect.stringMatching(/venue\.tokens/) })
  })

  test('the check names a wrong key and a wrong shilling symbol', async () => {
    const wrong = await venue({}, { shillingSymbol: 'NTZS' }, { apiKey: 'mm_test_somebody_else' })
    expect(await findingsOf(wrong.client)).toMatchObject([
      { name: 'venue', status: 'ok' },
      { name: 'key', status: 'fail', detail: expect.stringMatching(/401/) },
      { name: 'public rate', status: 'fail', hint: 'set venue.shillingSymbol to TZS_TOKEN' },
    ])
  })

  test('the check of a venue that is not there fails at the first line', async () => {
    const { client, box } = await venue({})
    await box.close()
    expect(await findingsOf(client)).toMatchObject([
      { name: 'venue', status: 'fail', detail: expect.stringMatching(/ECONNREFUSED/) },
      { name: 'public rate', status: 'warn' },
    ])
  })

  test('the check sees a stale, a missing and a frozen rate', async () => {
    const { client, box } = await venue({ isActive: true })
    const rateFinding = async (maxMidAgeMs: number | null) =>
      (await findingsOf(client, maxMidAgeMs)).find(({ name }) => name === 'rate')
    expect(await rateFinding(1)).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/minutes old/),
    })
    box.model.inject({ notQuotable: { ms: 1_000 } })
    expect(await rateFinding(null)).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/not quotable/),
    })
  })
})

async function findingsOf(client: VenueClient, maxMidAgeMs: number | null = null): Promise<CheckResult[]> {
  const findings: CheckResult[] = []
  for await (const finding of client.diagnose({ now: () => Date.now(), maxMidAgeMs })) {
    findings.push(finding)
  }
  return findings
}
