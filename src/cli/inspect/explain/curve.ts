import { writeFileSync } from 'node:fs'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { floatText } from '../../../base/text/numbers.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { fail, type OutputFormat, print, printStoreError } from '../../output/print.ts'
import { alignColumns } from '../../output/tables.ts'
import { type CurvePoint, curveSvg } from '../../../research/report/pages/curve-svg.ts'
import { quoteCurve } from '../../../research/diagnosis/explain/quote-curve.ts'
import { readSituation } from '../../../research/diagnosis/explain/read-situation.ts'

type CurveOptions = OutputFormat & {
  readonly config: string
  readonly at?: string
  readonly inventory: string
  readonly points: number
  readonly svg?: string
}

/** Prints bid and ask over the inventory, everything else as at one moment. Changes nothing. */
export async function curve(options: CurveOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { offline: true })
  if (config === null) return
  const inventories = gridOf(options)
  if (!inventories.ok) return fail(options, EXIT_CODE.usage, inventories.error)
  await printStoreError(options, async () => {
    const read = await readSituation(config, options)
    if (!read.ok) return fail(options, EXIT_CODE.usage, read.error)
    const { situation, from } = read.value
    const points = await quoteCurve(config, inventories.value, situation)
    if (!points.ok) return fail(options, EXIT_CODE.failed, points.error)
    const title = `${config.core.name}: ${config.strategy.use} at a mid of ${floatText(situation.mid, 4)}`
    const written = options.svg === undefined ? null : writeSvg(options.svg, curveSvg(title, points.value))
    if (written !== null) return fail(options, EXIT_CODE.failed, written)
    const document = { from, strategy: config.strategy.use, inputs: situation, points: points.value }
    print(options, render(title, from, points.value, options.svg), document)
  })
}

/** `-1..1` in `points` equal steps. */
function gridOf({ inventory, points }: CurveOptions): Result<readonly number[], string> {
  const [, low, high] = /^([-+]?[\d.]+)\.\.([-+]?[\d.]+)$/.exec(inventory.trim()) ?? []
  const [from, to] = [Number(low), Number(high)]
  if (low === undefined || high === undefined || !(from >= -1 && to <= 1 && from < to))
    return err(`--inventory ${inventory}: expected FROM..TO within -1..1; -1 is all shillings, 1 all dollars`)
  return ok(
    Array.from({ length: points }, (_, i) => Number((from + ((to - from) * i) / (points - 1)).toFixed(6))),
  )
}

function writeSvg(path: string, svg: string): string | null {
  try {
    writeFileSync(path, svg)
    return null
  } catch (thrown) {
    return `--svg ${path}: ${errorText(thrown)}`
  }
}

function render(title: string, from: string, points: readonly CurvePoint[], svg: string | undefined): string {
  const cell = (wanted: number | null, approved: number | null): string => {
    const text = approved === null ? 'off' : String(approved)
    const isMoved = wanted !== null && approved !== null && Math.round(wanted) !== approved
    return isMoved ? `${text} (${floatText(wanted, 1)})` : text
  }
  const rows = points.map(({ inventory, wanted, bidBps, askBps }) => [
    floatText(inventory, 3, 'plus'),
    cell(wanted.bidBps, bidBps),
    cell(wanted.askBps, askBps),
  ])
  return [
    title,
    `with all else as in ${from}`,
    '',
    ...alignColumns([['inventory', 'bid', 'ask'], ...rows], () => false),
    '',
    'inventory: -1 all shillings, 0 on target, +1 all dollars; in brackets the target of the strategy, if it was moved to a bound',
    ...(svg === undefined ? [] : [`written   ${svg}`]),
  ].join('\n')
}
