import { describe, expect, test } from 'vitest'
import { statusLine } from '../../../../../src/cli/inspect/status/content.ts'
import { renderStatus, scaleBar } from '../../../../../src/cli/inspect/status/render.ts'
import { orderLines } from '../../../../../src/cli/rfq/list.ts'
import { exampleRfqView } from '../../../daemon/telemetry/example-rfq-view.ts'
import { exampleView } from '../../../daemon/telemetry/example-view.ts'

describe('the scale bar', () => {
  test('puts all shillings left, all dollars right, and the position over the target', () => {
    expect(scaleBar(0, 0.5, 9)).toBe('[O---^----]')
    expect(scaleBar(1, 0.5, 9)).toBe('[----^---O]')
    expect(scaleBar(0.5, 0.5, 9)).toBe('[----O----]')
    expect(scaleBar(7, -3, 5)).toBe('[^---O]')
  })
})

describe('the status', () => {
  const lines = (changes: Parameters<typeof exampleView>[0] = {}, width = 100) =>
    renderStatus(exampleView(changes), { width, colour: false })
  const row = (label: string, of: readonly string[]) => of.find((line) => line.startsWith(label))

  test('shows the execution mid that differs from GET /rate, that it is not stated, and our own quote as ours', () => {
    const apart = [{ stable: 'USDT', mid: '2600', rate: '2568.5', deviationBps: 122.6 }] as const
    expect(row('mid', lines({ execution: { isStated: true, apart } }, 120))).toContain(
      'USDT executes at 2,600.00, 122.6 bps from GET /rate (2,568.50)',
    )
    expect(row('mid', lines({ execution: { isStated: false, apart: [] } }))).toContain(
      'execution mid not stated',
    )
    const bid = { bps: 40, ageMs: 0, isOwn: true }
    expect(row('competition', lines({ competition: { bid, ask: null } }))).toContain(
      'best bid 40 bps, our own quote',
    )
  })

  test('says state, quote, why, mid, inventory, reconciliation, fills and budget', () => {
    expect(lines()).toEqual([
      'desk-1       ACTIVE   in the market   up 1s   mizani 0.1.0',
      'quote        bid 40 bps   ask off   confirmed 0s ago',
      '  why        too few shillings',
      'mid          2,600.50 TZS per USD   1m 30s old',
      'reference    no live feed: only the venue’s mid',
      'competition  best bid 35 bps (0s ago)   best ask not seen',
      'holds        1,000,000.25 NTZS   500.50 USDC',
      'inventory    TZS [---------------^-O-------------] USD   56.0 % dollars, target 50 %',
      'PnL TZS      +106.00 =   spread +120.50   stale mid -20.00   inventory +7.00   costs -1.50',
      '             unreconciled 0.00',
      'PnL USD      +0.0400 =   edge +0.0500   inventory -0.0100   costs 0.0000   unreconciled 0.0000',
      'slippage     +12.50 TZS of the spread, let go by takers',
      'ledger       reconciled for 0s',
      'fills        0: 0 bid, 0 ask   0.00 USD traded',
      'requests     17 of 60 left this minute',
      'guard        no one watches: no guard has answered',
      'strategy     fixed-spread',
    ])
  })

  test('shows when and why the strategy was asked, and what it read', () => {
    const decision = { askedAt: 1_000, cause: 'rate' } as const
    const shown = lines({ decision: { ...decision, inputs: ['mid', 'inventory'] } })
    expect(shown.slice(3, 4)).toEqual(['  asked      asked 1s ago (rate); it read the mid, the inventory'])
  })

  test('the status of self-custody shows open orders, committed and available amounts, and why no order is placed', () => {
    const row = { width: 110, colour: false }
    const text = renderStatus(exampleView({ rfq: exampleRfqView() }), row).join('\n')
    for (const says of [
      /^orders +2 open: 0 bid, 2 ask {3}1 being cancelled {3}next expiry in 1m 0s/m,
      /^ +.*6 of 15 order requests this minute$/m,
      /^committed +515,000\.50 NTZS {3}0\.00 USDC$/m,
      /^available +484,999\.50 NTZS {3}-3\.25 USDC: overcommitted$/m,
      /^chain +block 1234, 2s old {3}gas 0\.012 gwei/m,
    ])
      expect(text).toMatch(says)
    expect(text).not.toContain('blocked')
    expect(text).toMatch(/^quote +nothing is pooled; orders are signed instead$/m)
    expect(text).toContain('in the market')
    const wallet = exampleView({ rfq: exampleRfqView(), isActive: false })
    expect(renderStatus(wallet, row)[0]).toContain('in self-custody')
    expect(statusLine(wallet)).toContain(' | orders 2 | ')
    const blind = exampleRfqView({ chain: null, free: {}, orders: [], blocked: 'the chain was not read yet' })
    const early = renderStatus(exampleView({ rfq: blind }), row).join('\n')
    expect(early).toMatch(/^orders +0 open: 0 bid, 0 ask {3}9 signed/m)
    expect(early).toMatch(/^blocked +no order is placed: the chain was not read yet$/m)
    expect(early).toMatch(/^available +not known/m)
    expect(renderStatus(exampleView(), row).join('\n')).not.toMatch(/^orders/m)
  })

  test('the list of orders is a table that ends with whole hashes', () => {
    const lines = orderLines(exampleRfqView(), 2_000)
    expect(lines[0]).toMatch(/^salt {2}side {2}USD +left +TZS\/USD +expires +state +hash$/)
    expect(lines[1]).toBe(
      `7     ask   200.50 USDC  100.25  2,587.25  in 1m 0s  open                  0x${'ab'.repeat(32)}`,
    )
    expect(lines[2]).toContain('cancelling, FILLABLE')
    expect(orderLines(exampleRfqView({ orders: [], blocked: 'the clock is off' }), 0)).toEqual([
      'no order is open',
      'no order is placed: the clock is off',
    ])
  })

  test('each feed has its state, its figure and its reason, and a venue too far from them is reported so', () => {
    const common = { datedAt: null, weight: 1, problem: null }
    const shown = lines({
      reference: {
        standsAlone: false,
        mid: '2500',
        errorBps: 2.5,
        deviationBps: 402,
        limitBps: 300,
        feeds: [
          { ...common, name: 'bank', status: 'live', mid: '2500', ageMs: 3_000 },
          { ...common, name: 'desk', status: 'silent', mid: null, ageMs: null, problem: 'no answer' },
        ],
      },
    })
    const at = shown.findIndex((line) => line.startsWith('reference'))
    expect(shown.slice(at, at + 3)).toEqual([
      'reference    2,500.00 TZS per USD, +- 2.5 bps   mid +402.0 bps from it, over the limit of 300',
      '             bank   live   2,500.00   read 3s ago',
      '             desk   silent   no answer',
    ])
  })

  test('what is unknown is called unknown and never 0', () => {
    const quote = {
      ...exampleView().quote,
      status: 'unknown' as const,
      bidBps: null,
      askBps: null,
      quoteBid: null,
      quoteAsk: null,
      confirmedAt: null,
      target: null,
    }
    const blind = lines({
      mid: null,
      midAgeMs: null,
      isActive: null,
      pnl: null,
      balances: {},
      inventory: { usdShare: null, target: 0.5, imbalance: null },
      quote,
    })
    expect(row('desk-1', blind)).toContain('in the market: unknown')
    expect(row('quote', blind)).toBe('quote        bid unknown   ask unknown   unknown   never confirmed')
    expect(row('mid', blind)).toBe('mid          unknown')
    expect(row('holds', blind)).toBe('holds        not known yet')
    expect(row('inventory', blind)).toBe('inventory    cannot be valued yet')
    expect(row('PnL', blind)).toBe('PnL          cannot be valued yet')
  })

  test('reasons, a gap, a suspended strategy and what was set over HTTP are reported out loud', () => {
    const halted = lines({
      tradingState: 'HALTED',
      reasons: ['halted: balances differ', 'mid-age: the mid is old'],
      paused: true,
      mode: 'dry-run',
      quotable: false,
      reconciliation: {
        state: 'break',
        since: 1_000,
        why: 'fills may be missing',
        unreconciled: { USDC: '-3.5' },
        difference: { USDC: '-3.5' },
        covers: [],
        notStated: [],
        unreadable: [],
        provenAgeMs: null,
      },
      strategy: { use: 'mine.ts', params: {}, suspended: 'it threw' },
      overrides: { 'quote.safeBps': 400, 'inventory.limits.USDC.max': '900' },
      requestsFailed: 4,
      budget: { limit: 60, effective: 30, remaining: 2, windowMs: 60_000 },
    }).join('\n')
    for (const said of [
      'HALTED',
      'paused',
      'dry run: changes nothing',
      '  why        halted: balances differ\n             mid-age: the mid is old',
      'not quotable, says the venue',
      'break for 1s   fills may be missing   unreconciled -3.50 USDC',
      'mine.ts   suspended: it threw',
      'set over HTTP: quote.safeBps = 400, inventory.limits.USDC.max = "900"',
      '2 of 30 (cut from 60) left this minute   4 failed so far',
    ]) {
      expect(halted).toContain(said)
    }
  })

  test('the last fills are shown as got and gave', () => {
    const fill = {
      id: 'f-1',
      at: 500,
      seenAt: 1_000,
      side: 'bid' as const,
      amountIn: '260050',
      inAsset: 'NTZS' as const,
      amountOut: '99.1234567',
      outAsset: 'USDC' as const,
    }
    const shown = lines({ fills: { total: 1, bid: 1, ask: 0, volumeUsd: '99.1234567', last: [fill] } })
    expect(shown).toContain('             1s ago  bid  got 260,050.00 NTZS, gave 99.12 USDC')
  })

  test('what is wanted is shown only where something else stands', () => {
    const quote = { ...exampleView().quote, target: { bidBps: 45, askBps: 80 } }
    expect(row('quote', lines({ quote }))).toContain('wanted: bid 45 ask 80')
    expect(row('quote', lines())).not.toContain('wanted')
  })

  test('a side that should be off and cannot be closed is named instead of what is wanted', () => {
    const cannotClose = 'the bid cannot be closed at this venue: 500 bps'
    const quote = { ...exampleView().quote, target: { bidBps: null, askBps: 80 }, cannotClose }
    const shown = lines({ quote }).join('\n')
    expect(shown).toContain(cannotClose)
    expect(shown).not.toContain('wanted')
  })
})
