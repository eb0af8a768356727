import { createHash } from 'node:crypto'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'
import { type KeptDrill, readKept, STALE_MS } from '../../../drills/kept-results.ts'
import { ageText } from '../../../text/times.ts'
import { EXIT_CODE } from '../../../text/exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { printable } from '../../../base/printable.ts'
import { fail, type OutputFormat, print } from '../../output/print.ts'
import { alignColumns } from '../../output/tables.ts'
import { version } from '../../../text/version.ts'
import { CONTROLS } from './catalogue.ts'
import type { Control } from './control.ts'

type ControlsOptions = OutputFormat & { readonly config: string }

/** Every control with what this configuration sets it to, the test that holds it, and its last drill. */
export async function controls(options: ControlsOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { strategy: 'load-apart' })
  if (config === null) return
  const drills = readKept(config.store.path)
  if (!drills.ok) return fail(options, EXIT_CODE.failed, drills.error)
  const report = controlsReport(config, drills.value, Date.now())
  print(options, linesOf(report).map(printable).join('\n'), report)
}

type ControlState = Pick<Control, 'name' | 'when' | 'rules' | 'test'> & {
  /** Null = missing. */
  readonly value: string | null
  readonly lastDrill: (Pick<KeptDrill, 'name' | 'at' | 'passed'> & { readonly isStale: boolean }) | null
}

type ControlsReport = {
  readonly position: string
  readonly at: string
  readonly software: string
  readonly strategy: string
  /** Digest of the configuration as it was written, so that a report belongs to one. */
  readonly configSha256: string
  readonly controls: readonly ControlState[]
  readonly missing: number
}

/** `withSecrets` is false where the configuration was read without them: what lies beside one is not known then. */
export function controlsReport(
  config: LoadedConfig,
  drills: readonly KeptDrill[],
  now: Ms,
  { withSecrets = true }: { readonly withSecrets?: boolean } = {},
): ControlsReport {
  const states = CONTROLS.map(({ name, when, rules, test, value, besideSecrets, drills: names }) => ({
    name,
    when,
    rules,
    test,
    value: withSecrets || besideSecrets !== true ? value(config) : 'not read: it stands beside secrets',
    lastDrill: lastOf(drills, names, now),
  }))
  return {
    position: config.core.name,
    at: new Date(now).toISOString(),
    software: version,
    strategy: `${config.core.strategy.use} ${config.core.strategy.sourceHash}`,
    configSha256: createHash('sha256').update(config.sources.accepted.reveal()).digest('hex'),
    controls: states,
    missing: states.filter(({ value }) => value === null).length,
  }
}

function lastOf(drills: readonly KeptDrill[], names: readonly string[], now: Ms): ControlState['lastDrill'] {
  const own = drills.filter(({ name }) => names.includes(name))
  const last = own.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1)
  if (last === undefined) return null
  const { name, at, passed } = last
  return { name, at, passed, isStale: now - Date.parse(at) > STALE_MS }
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
    ...alignColumns([['control', 'rule', 'set to', 'last drill', 'held by the test'], ...rows], () => true),
    '',
    `${states.length - missing} of ${states.length} controls are set, ${missing} are missing`,
  ]
}
