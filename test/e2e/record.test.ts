import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { toBook } from '../../src/base/money/asset.ts'
import type { VenueFill } from '../../src/simulator/sandbox/market/provider.ts'
import { openTape } from '../../src/store/tape/folder/open-tape.ts'
import { readRows } from '../../src/store/tape/folder/merge-tapes.ts'
import type { RowKind, TapeRow } from '../../src/store/tape/model/row.ts'
import type { SandboxServer } from '../../src/simulator/sandbox/server/server.ts'
import { openMarket, type Market } from './daemon/open-market.ts'
import { runMizani } from './daemon/run-mizani.ts'
import { until } from './daemon/until.ts'

/** A venue without takers, unless a test adds one, on the clock of the test. */
const QUIET = { speed: 1, scenario: 'test/support/quiet-market.yaml' } as const
/** Narrower than anybody else, so that every taker is ours; it leans with each of them. */
const NARROW = { use: 'inventory-skew', params: { halfSpreadBps: 30, maxSkewBps: 20 } }

describe.concurrent('a tape', { timeout: 120_000 }, () => {
  test('has every fill of the venue once after kill -9 and a restart, and the journal gives the same one', async () => {
    await using market = await openMarket(QUIET, { strategy: NARROW })
    const tape = join(market.folder.path, 'tape')
    market.folder.configure({ strategy: NARROW, record: { path: tape } })
    const first = market.start()
    await market.quoted(30, 30)
    const takers = keepTrading(market.venue)
    await until('some fills', async () => (await first.state()).fills.total >= 5)
    await first.kill('SIGKILL')
    const second = market.start()
    await until('more fills', async () => (await second.state()).fills.total >= 15)
    await takers.stop()
    const { fills } = market.venue.model.book().ours
    await until('all fills are known', async () => (await second.state()).fills.total === fills.length)
    await second.kill('SIGTERM')
    expect(second.errors()).toBe('')

    const { rows, problems } = await readTape(join(tape, 'desk-1'))
    expect(problems).toEqual([])
    const recorded = ofKind(rows, 'fill')
    // Two of the same millisecond have no order.
    expect(recorded.map(lineOf).toSorted()).toEqual(fills.map(lineOfVenue).toSorted())
    const kinds = ['rate', 'competition', 'balances', 'quote', 'decision'] as const
    expect(kinds.filter((kind) => ofKind(rows, kind).length < 2)).toEqual([])
    expect(ofKind(rows, 'quote').at(-1)).toMatchObject({ bidBps: 500, askBps: 500 })

    await expectSameFromJournal(market, rows)
    await expectParity(market, fills.length)
    await expectOtherQuotes(market)
  })
})

/** A taker every now and then, on either side. */
function keepTrading({ url }: SandboxServer): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController()
  async function trade(): Promise<void> {
    for (let i = 0; !stopping.signal.aborted; i += 1) {
      const [from, to, amount] = i % 3 === 0 ? ['NTZS', 'USDC', '50000'] : ['USDC', 'NTZS', '20']
      await fetch(`${url}/sandbox/swap`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ from, to, amount }),
      })
      await pause(150)
    }
  }
  // The venue is gone where a test failed.
  const trading = trade().catch(() => undefined)
  return {
    stop() {
      stopping.abort()
      return trading
    },
  }
}

async function readTape(
  path: string,
): Promise<{ readonly rows: readonly TapeRow[]; readonly problems: readonly unknown[] }> {
  const opened = openTape(path, { decisions: true })
  if (!opened.ok) throw new Error(opened.error)
  const rows: TapeRow[] = []
  for await (const row of readRows(opened.value)) rows.push(row)
  return { rows, problems: opened.value.problems() }
}

function ofKind<Kind extends RowKind>(rows: readonly TapeRow[], kind: Kind) {
  return rows.filter((row): row is Extract<TapeRow, { type: Kind }> => row.type === kind)
}

/** What a fill is in both books. */
type Line = Readonly<Record<'id' | 'from' | 'to', string> & Record<'amountIn' | 'amountOut', bigint>>

function lineOf({ id, from, to, amountIn, amountOut }: Line): string {
  return `${id}: ${amountIn} ${from} for ${amountOut} ${to}`
}

/** The venue counts units of the token. */
function lineOfVenue({ id, from, to, amountIn, amountOut }: VenueFill): string {
  return lineOf({ id, from, to, amountIn: toBook(amountIn, from), amountOut: toBook(amountOut, to) })
}

/** What was recorded in two lives is what the journal gives in one go. */
async function expectSameFromJournal({ folder }: Market, rows: readonly TapeRow[]): Promise<void> {
  const again = join(folder.path, 'again')
  const { code, err } = await runMizani(['tape', 'from-journal', '--store', folder.store, '--out', again])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect((await readTape(again)).rows).toEqual(rows)
}

async function expectParity({ folder }: Market, fills: number): Promise<void> {
  const { code, out, err } = await runMizani(['parity', '--store', folder.store, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const data = JSON.parse(out) as {
    decisions: { compared: number; differing: number }
    fills: { real: number; matched: number; missed: number }
  }
  expect(data.decisions.differing).toBe(0)
  expect(data.decisions.compared).toBeGreaterThan(20)
  expect(data.fills.real).toBe(fills)
  expect(data.fills.matched + data.fills.missed).toBe(fills)
}

async function expectOtherQuotes({ folder }: Market): Promise<void> {
  const config = folder.configure({ strategy: { ...NARROW, params: { halfSpreadBps: 45, maxSkewBps: 20 } } })
  const { code, out, err } = await runMizani([
    'whatif',
    '--store',
    folder.store,
    '--config',
    config,
    '--json',
  ])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const { quotes, running, wanted } = JSON.parse(out) as {
    quotes: { sameShare: number; meanAbsBps: number; firstDifference: string | null }
    running: { params: object }
    wanted: { params: object }
  }
  expect(running.params).toMatchObject({ halfSpreadBps: 30 })
  expect(wanted.params).toMatchObject({ halfSpreadBps: 45 })
  expect(quotes.sameShare).toBeLessThan(0.2)
  expect(quotes.meanAbsBps).toBeCloseTo(15, 0)
  expect(quotes.firstDifference).not.toBeNull()
}
