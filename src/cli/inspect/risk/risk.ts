import { EXIT_CODE } from '../../../base/exit-code.ts'
import { floatText } from '../../../base/text/numbers.ts'
import type { Ms } from '../../../base/time.ts'
import { keepResult } from '../../../daemon/runtime/position/result-files.ts'
import { RISK_FIGURES, riskFigure, tailName } from '../../../daemon/view/results/risk-text.ts'
import type { RiskTail } from '../../../daemon/view/results/risk-view.ts'
import { riskPosition, type RiskPlan } from '../../../research/jobs/risk/risk-position.ts'
import { reportRisk, type RiskReport, worstFirst } from '../../../research/jobs/risk/risk-report.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { fail, type OutputFormat, print, printStoreError } from '../../output/print.ts'
import { workProgress } from '../../output/progress.ts'
import { alignColumns } from '../../output/tables.ts'
import { readPosition } from '../position.ts'

type RiskOptions = OutputFormat & {
  readonly config: string
  readonly inventory?: RiskPlan | null
  readonly worlds: number
  readonly seed: number
  readonly every?: Ms
}

/** Shorter work shows no progress. */
const QUIET_MS = 2_000

/** Measures the risk of a position and saves the result for its daemon; that of a plan is only printed. */
export async function risk({ inventory: plan = null, worlds, seed, ...options }: RiskOptions): Promise<void> {
  const isAlone = plan?.mid !== undefined
  const config = await loadOrExplain(options.config, options, { offline: isAlone })
  if (config === null) return
  await printStoreError(options, async () => {
    const read = isAlone ? null : await readPosition(config)
    if (read !== null && 'why' in read) return fail(options, read.exitCode, read.why)
    const [now, began, name] = [Date.now(), performance.now(), config.core.name]
    const { limits } = config.core.inventory
    const source = read?.note === null ? 'daemon' : 'store'
    const position = riskPosition(read?.view ?? null, source, limits, plan, now)
    if (!position.ok) return fail(options, EXIT_CODE.failed, position.error)
    const progress = workProgress('worlds')
    let before: number | null = null
    const measured = await reportRisk(config.core, position.value, { worlds, seed }, (done, total) => {
      if (performance.now() - began > QUIET_MS) progress.show({ done, total, before: (before ??= done) })
    })
    progress.end()
    if (!measured.ok) return fail(options, EXIT_CODE.failed, measured.error)
    const { markets, ...shown } = measured.value
    const result = { at: now, measured: shown, problem: null }
    const kept = plan === null ? await keepResult(config, 'risk', result) : null
    if (kept?.ok === false) return fail(options, EXIT_CODE.failed, kept.error)
    print(options, riskText(name, measured.value), { position: name, ...result, markets })
  })
}

function riskText(name: string, report: RiskReport): string {
  const { position, worlds, seed, tails, markets, stress, notes } = report
  const { source, ntzs, usd, tzsPerUsd } = position
  const amount = (value: number) => floatText(value, 0)
  const table = (currency: 'usd' | 'tzs', rows: readonly RiskTail[]) => [
    [`loss, ${currency.toUpperCase()}`, ...RISK_FIGURES.map(([title]) => title)],
    ...rows.map((row) => [tailName(row), ...RISK_FIGURES.map(([, key]) => riskFigure(row[currency][key]))]),
  ]
  const stresses = [
    ['stress: loss, USD / TZS', 'without trades', 'all taken', 'within the limits'],
    ...stress.map(({ name: what, held, taken, limited }) => [
      what,
      ...[held, taken, limited].map((one) => `${amount(one.usd)} / ${amount(one.tzs)}`),
    ]),
  ]
  const withWorst = (currency: 'usd' | 'tzs') =>
    table(currency, [...tails.slice(0, 4), ...worstFirst(markets, currency).slice(0, 10)])
  return [
    `${name}: ${amount(ntzs)} NTZS and ${amount(usd)} dollars at ${floatText(tzsPerUsd, 2)}, from the ${source}`,
    ...notes,
    `${worlds} worlds, seed ${seed}; ± is one standard error; a negative loss is a gain; of ${markets.length / 2} other markets the worst`,
    ...[withWorst('usd'), withWorst('tzs'), stresses].flatMap((rows) => [
      '',
      ...alignColumns(rows, (column) => column === 0),
    ]),
    ...stress.map(({ name: what, limits }) => `${what}: ${limits.join('; ')}`),
  ].join('\n')
}
