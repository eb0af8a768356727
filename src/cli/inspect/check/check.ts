import { styleText } from 'node:util'
import { contactOf } from '../../../daemon/config/load/contact.ts'
import type { CheckResult } from '../../../venue/check-result.ts'
import { runChecks } from '../../../research/diagnosis/check/run-checks.ts'
import { daemonView } from '../../operator/daemon-client.ts'
import { readLearned } from '../position.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { printable } from '../../../base/printable.ts'
import {
  exitWhenPipeCloses,
  print,
  type ConfigOptions,
  printProgress,
  printStyled,
} from '../../output/print.ts'
import { loadOrExplain } from '../../load-or-explain.ts'

const TONE = { ok: 'green', warn: 'yellow', fail: 'red' } as const
const NAME_WIDTH = 13
/** If one of these fails, the venue does not answer or rejects the key. */
const REACHING = new Set(['venue', 'key', 'account'])

const WAIT_NOTE_MS = 8_000
const WAITING = 'no answer for 8 s; a running daemon and this command share the requests a minute of the key'

/** Prints one line for each requirement of market making, as soon as it is known. */
export async function check(options: ConfigOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { strategy: 'ask-apart' })
  if (config === null) return
  exitWhenPipeCloses()
  const findings: CheckResult[] = []
  const waits = setInterval(() => {
    if (options.json !== true) printProgress(WAITING)
  }, WAIT_NOTE_MS).unref()
  for await (const finding of runChecks(config, {
    isAnswering: async () => (await daemonView(contactOf(config)))?.status === 200,
    learned: () => readLearned(config),
  })) {
    findings.push(finding)
    waits.refresh()
    if (options.json !== true) printStyled(options, lineOf(finding), null)
  }
  clearInterval(waits)
  const count = { ok: 0, warn: 0, fail: 0 }
  for (const { status } of findings) count[status] += 1
  const exitCode = exitCodeOf(findings)
  const summary = `${count.ok} ok, ${count.warn} ${count.warn === 1 ? 'warning' : 'warnings'}, ${count.fail} failed`
  print(options, summary, { position: config.core.name, findings, ...count, exitCode })
  process.exitCode = exitCode
}

function exitCodeOf(findings: readonly CheckResult[]): number {
  const failed = findings.filter(({ status }) => status === 'fail')
  if (failed.some(({ name }) => REACHING.has(name))) return EXIT_CODE.unconfirmed
  return failed.length > 0 ? EXIT_CODE.failed : EXIT_CODE.ok
}

function lineOf({ name, status, detail, hint }: CheckResult): string {
  const mark = styleText(TONE[status], status.padEnd(4), { stream: process.stdout })
  return `${mark}  ${name.padEnd(NAME_WIDTH)}${printable(hint === null ? detail : `${detail}; ${hint}`)}`
}
