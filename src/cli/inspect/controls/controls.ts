import { controlsReport, type ControlsReport } from '../../../research/diagnosis/controls/controls-report.ts'
import { readKept, STALE_MS } from '../../../store/kept-drills.ts'
import { ageText } from '../../../base/text/times.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { printable } from '../../../base/printable.ts'
import { fail, type ConfigOptions, print } from '../../output/print.ts'
import { alignColumns } from '../../output/tables.ts'

/** Prints every control with its setting in this configuration, its test, and its last drill. */
export async function controls(options: ConfigOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { strategy: 'load-apart' })
  if (config === null) return
  const drills = readKept(config.store.path)
  if (!drills.ok) return fail(options, EXIT_CODE.failed, drills.error)
  const report = controlsReport(config, drills.value, Date.now())
  print(options, linesOf(report).map(printable).join('\n'), report)
}

function linesOf({
  position,
  at,
  software,
  strategy,
  configSha256,
  controls: states,
  missing,
}: ControlsReport) {
  const rows = states.map(({ name, rules, value, test, lastDrill }) => [
    name,
    rules.join(', '),
    value ?? (test === null ? 'MISSING: mizani does not have it' : 'MISSING: not configured'),
    lastDrill === null
      ? 'never'
      : `${lastDrill.name} ${lastDrill.passed ? 'passed' : 'FAILED'} ${lastDrill.at.slice(0, 10)}${lastDrill.isStale ? `, older than ${ageText(STALE_MS)}` : ''}`,
    test === null ? '' : `${test[0]}: ${test[1]}`,
  ])
  return [
    `Controls of ${position}, ${at}, mizani ${software}`,
    `strategy ${strategy}, configuration sha-256 ${configSha256}`,
    '',
    ...alignColumns([['control', 'rule', 'set to', 'last drill', 'proven by the test'], ...rows], () => true),
    '',
    `${states.length - missing} of ${states.length} controls are set, ${missing} are missing`,
  ]
}
