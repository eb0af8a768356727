import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { statusLine } from '../../../../../src/cli/inspect/status/content.ts'
import { renderStatus, scaleBar } from '../../../../../src/cli/inspect/status/render.ts'
import { orderLines } from '../../../../../src/cli/rfq/list.ts'
import { exampleRfqView } from '../../../daemon/telemetry/example-rfq-view.ts'
import { exampleView, unprovenBooks } from '../../../daemon/telemetry/example-view.ts'

describe('the scale bar', () => {
  test('puts all shillings left, all dollars right, and the position over the target', () => {
    expect(scaleBar(0, 0.5, 9)).toBe('[O---^----]')
    expect(scaleBar(1, 0.5, 9)).toBe('[----^---O]')
    expect(scaleBar(0.5, 0.5, 9)).toBe('[----O----]')
    expect(scaleBar(7, -3, 5)).toBe('[^---O]')
  })
})

/** Pages of the status: the example, and what each situation adds to it (+) and takes from it (-). */
const GOLDEN = join(import.meta.dirname, 'status-pages.txt')

type Situation = Parameters<typeof exampleView>[0]
const { quote } = exampleView()
const common = { datedAt: null, weight: 1, problem: null, judgement: null }
const rfqBeforeChain = { chain: null, free: {}, orders: [], blocked: 'the chain has not been read yet' }
const UNKNOWN_QUOTE = {
  status: 'unknown' as const,
  bidBps: null,
  askBps: null,
  quoteBid: null,
  quoteAsk: null,
  confirmedAt: null,
  target: null,
}

const SITUATIONS: Record<string, Situation> = {
  'the execution mid differs from GET /rate': {
    execution: {
      isStated: true,
      apart: [{ stable: 'USDT', mid: '2600', rate: '2568.5', deviationBps: 122.6 }],
    },
  },
  'the execution mid is not stated': { execution: { isStated: false, apart: [] } },
  'our own quote is the best': {
    competition: { bid: { bps: 40, ageMs: 0, isOwn: true }, ask: null },
  },
  'the strategy was asked, and read two inputs': {
    decision: { askedAt: 1_000, cause: 'rate', inputs: ['mid', 'inventory'] },
  },
  'taken out of the market by an operator': {
    isActive: false,
    live: {
      ...exampleView().live,
      isActive: false,
      text: 'the position is inactive until `mizani activate`',
    },
  },
  'self-custody': { rfq: exampleRfqView() },
  'self-custody that is inactive': { rfq: exampleRfqView(), isActive: false },
  'self-custody before the chain was read': { rfq: exampleRfqView(rfqBeforeChain) },
  'two feeds, from which the venue is too far': {
    reference: {
      standsAlone: false,
      mid: '2500',
      errorBps: 2.5,
      deviationBps: 402,
      limitBps: 300,
      feeds: [
        { ...common, name: 'bank', status: 'live', mid: '2500', ageMs: 3_000 },
        {
          ...common,
          name: 'desk',
          status: 'silent',
          mid: null,
          ageMs: null,
          judgement: null,
          problem: 'no answer',
        },
      ],
    },
  },
  'nothing is known': {
    mid: null,
    midAgeMs: null,
    isActive: null,
    pnl: null,
    balances: {},
    inventory: { usdShare: null, target: 0.5, imbalance: null },
    quote: { ...quote, ...UNKNOWN_QUOTE },
  },
  'halted, paused, a break, a suspended strategy, values set over HTTP, failed requests': {
    tradingState: 'HALTED',
    reasons: ['halted: balances differ', 'mid-age: the mid is old'],
    paused: true,
    mode: 'dry-run',
    quotable: false,
    reconciliation: unprovenBooks('break', 'fills may be missing', 1_000, { USDC: '-3.5' }),
    strategy: { use: 'mine.ts', params: {}, suspended: 'it threw' },
    overrides: { 'quote.safeBps': 400, 'inventory.limits.USDC.max': '900' },
    requestsFailed: 4,
    budget: { limit: 60, effective: 30, remaining: 2, windowMs: 60_000 },
  },
  'a fill': {
    fills: {
      total: 1,
      bid: 1,
      ask: 0,
      volumeUsd: '99.1234567',
      last: [
        {
          id: 'f-1',
          at: 500,
          seenAt: 1_000,
          side: 'bid',
          amountIn: '260050',
          inAsset: 'NTZS',
          amountOut: '99.1234567',
          outAsset: 'USDC',
        },
      ],
    },
  },
  'another target than the quote': { quote: { ...quote, target: { bidBps: 45, askBps: 80 } } },
  'a side that should be off and cannot be closed': {
    quote: {
      ...quote,
      target: { bidBps: null, askBps: 80 },
      cannotClose: 'the bid cannot be closed at this venue, so quoted at 500 bps',
    },
  },
}

test('the status of each situation shows what is so, and calls what is unknown unknown', async () => {
  const page = (changes?: Situation) => renderStatus(exampleView(changes), { width: 120, colour: false })
  const example = page()
  const pages = Object.entries(SITUATIONS).map(([title, changes]) => {
    const shown = page(changes)
    const added = shown.filter((line) => !example.includes(line)).map((line) => `+ ${line}`)
    const gone = example.filter((line) => !shown.includes(line)).map((line) => `- ${line}`)
    return [`## ${title}`, ...gone, ...added].join('\n')
  })
  const orders = [
    orderLines(exampleRfqView(), 2_000),
    orderLines(exampleRfqView({ orders: [], blocked: 'the clock is off' }), 0),
  ].map((lines) => ['## mizani rfq list', ...lines].join('\n'))
  const line = `## one line of self-custody that is inactive\n${statusLine(exampleView(SITUATIONS['self-custody that is inactive']))}`
  const text = [['## the example', ...example].join('\n'), ...pages, ...orders, line].join('\n\n')
  await expect(`${text}\n`).toMatchFileSnapshot(GOLDEN)
})

test('a daemon that does not run shows when it was last seen, and no uptime', () => {
  const [heading] = renderStatus(exampleView(), { width: 100, colour: false }, false)
  expect(heading).toMatch(/last seen \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, 1s after its start/)
  expect(heading).not.toContain('up 1s')
})
