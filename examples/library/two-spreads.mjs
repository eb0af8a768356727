// Backtests one strategy with two spreads over the example week: node two-spreads.mjs [TAPE]
import { backtest, calibrate, defineStrategy, loadTape, z } from 'mizani'
import { fileURLToPath } from 'node:url'

const exampleWeek = fileURLToPath(new URL('examples/week', import.meta.resolve('mizani/package.json')))
const tape = loadTape(process.argv[2] ?? exampleWeek, {
  from: Date.parse('2026-09-08T00:00:00Z'),
  to: Date.parse('2026-09-08T06:00:00Z'),
})

const leaning = defineStrategy({
  name: 'leaning',
  params: z.strictObject({ halfSpreadBps: z.number().min(10).max(250) }),
  init: () => ({}),
  quote({ inventory }, _state, { halfSpreadBps }) {
    const skew = 20 * inventory.imbalance
    return { bidBps: halfSpreadBps - skew, askBps: halfSpreadBps + skew, reasons: ['leans to its target'] }
  },
})

const { both, warnings } = await calibrate(tape)
console.log(
  `takers: A ${both.a.value.toFixed(1)} a day, k ${both.k.value.toFixed(4)}; ${warnings.length} warnings`,
)
for (const halfSpreadBps of [40, 60]) {
  const { fills, edgeBps, pnl, trades } = await backtest({
    tape,
    strategy: leaning,
    params: { halfSpreadBps },
  })
  console.log({ halfSpreadBps, fills, edgeBps: edgeBps.mean, pnlUsd: pnl.usd.total, first: trades[0]?.fill })
}
