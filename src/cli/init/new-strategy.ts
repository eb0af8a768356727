import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, type OutputFormat, print } from '../output/print.ts'

type NewStrategyOptions = OutputFormat & { readonly folder: string }

/** Writes a strategy that uses an indicator of the kit, and its test. Nothing that exists is overwritten. */
export async function newStrategy(name: string, options: NewStrategyOptions): Promise<void> {
  const { folder } = options
  const files = [
    [join(folder, `${name}.ts`), strategyText(name)],
    [join(folder, `${name}.test.ts`), testText(name)],
  ] as const
  const present = files.find(([file]) => existsSync(file))
  if (present !== undefined)
    return fail(options, EXIT_CODE.usage, `${present[0]} exists; nothing was written. Choose another name`)
  try {
    await mkdir(folder, { recursive: true })
    for (const [file, text] of files) await writeFile(file, text, { flag: 'wx' })
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    return fail(
      options,
      EXIT_CODE.failed,
      `${folder} cannot be written (${code ?? message}); name another --folder`,
    )
  }
  const written = files.map(([file]) => file)
  const lines = [
    `written: ${written.join(', ')}`,
    '',
    'Next:',
    '  npm test                 test it',
    '  npx mizani backtest --config mizani.yaml --tape TAPE --strategy STRATEGY',
    '                           STRATEGY: its path from the folder of mizani.yaml, with ./ before it',
  ]
  print(options, lines.join('\n'), { written })
}

function strategyText(name: string): string {
  return `/**
 * A half-spread that follows the trend of the mid and leans against the inventory.
 *
 * Idea: while the mid is above its moving average, dollars are likely to rise: sell them wider and buy them narrower.
 * Parameters:
 *   halfSpreadBps  the spread on both sides without a trend and on the inventory target, 10..250
 *   maxSkewBps     what is added on one side and taken off the other when all is one currency, 0..200
 *   trendShare     share of the distance between the mid and its average that moves the quote, 0..2
 *   halfLifeHours  time in which a new mid moves the average half of the way
 * WHEN IT LOSES: replace this line with the markets in which it loses.
 */
import { defineStrategy, ema, z, type Ema } from '#kit'

type Params = { halfSpreadBps: number; maxSkewBps: number; trendShare: number; halfLifeHours: number }

export default defineStrategy<Params, { average: Ema | null }>({
  name: '${name}',
  params: z.strictObject({
    halfSpreadBps: z.number().min(10).max(250).default(60),
    maxSkewBps: z.number().min(0).max(200).default(80),
    trendShare: z.number().min(0).max(2).default(0.5),
    halfLifeHours: z.number().positive().max(1_000).default(24),
  }),
  // Plain data: it is part of the snapshot, and is restored after a restart.
  init: () => ({ average: null }),
  quote({ now, mid, inventory: { imbalance } }, state, params) {
    state.average = ema(state.average, now, mid, params.halfLifeHours * 3_600_000)
    const trendBps = 1e4 * (mid / state.average.value - 1)
    // Imbalance: -1 = all shillings, 0 = on target, +1 = all dollars.
    const shift = params.trendShare * trendBps - params.maxSkewBps * imbalance
    return {
      bidBps: params.halfSpreadBps + shift,
      askBps: params.halfSpreadBps - shift,
      reasons: [\`mid \${trendBps.toFixed(1)} bps above its average: shift \${shift.toFixed(1)}\`],
    }
  },
})
`
}

/** Returns its test, for Node's own runner. */
function testText(name: string): string {
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neutralContext } from 'mizani'
import strategy from './${name}.ts'

const params = strategy.params.parse({})
const market = neutralContext()

/** The quotes at these mids, an hour apart, in an otherwise quiet market. */
function quotesAt(...mids: number[]) {
  const state = strategy.init(params)
  return mids.map((mid, hour) =>
    strategy.quote({ ...market, mid, now: market.now + hour * 3_600_000 }, state, params, {}),
  )
}

test('quotes the half-spread on both sides of a mid that does not move', () => {
  for (const { bidBps, askBps } of quotesAt(2_500, 2_500, 2_500)) assert.deepEqual([bidBps, askBps], [60, 60])
})

test('sells dollars wider after the mid has risen', () => {
  const last = quotesAt(2_500, 2_510).at(-1)
  assert.ok(last && last.bidBps !== null && last.askBps !== null)
  // Half of 40 bps.
  assert.deepEqual([Math.round(last.bidBps), Math.round(last.askBps)], [80, 40])
})
`
}
