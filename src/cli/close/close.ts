import { join } from 'node:path'
import { err, ok } from '../../base/result.ts'
import { updateIndex } from '../../research/close/folder/fleet-index.ts'
import { LOCK } from '../../research/close/folder/names.ts'
import { openCloseSigner } from '../../research/close/proof/signature.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { TRIAL_MS } from '../../daemon/config/strategy/probe-strategy.ts'
import { withFileLock } from '../../base/lock/file-lock.ts'
import { loadFleetOrExplain } from '../operator/operate-fleet.ts'
import { printable } from '../../base/printable.ts'
import { fail, type OutputFormat, print, printStoreError } from '../output/print.ts'
import { closePosition, dayNamed } from '../../research/close/close-position.ts'
import { evidenceOf } from '../../research/diagnosis/controls/evidence.ts'
import { positionsByDay } from '../../research/close/fleet-days.ts'
import type { ClosedDay } from '../../research/close/keep-close.ts'

export type CloseOptions = OutputFormat & {
  readonly config?: string
  readonly fleet?: string
  readonly day: string
  readonly out: string
  readonly key?: string
}

/** Writes the books of a day as a document that can be verified without the store; for a fleet, one folder per position. */
export async function close(options: CloseOptions): Promise<void> {
  const configs = await configsOf(options)
  if (configs === null) return
  const signer = options.key === undefined ? ok(null) : openCloseSigner(options.key)
  if (!signer.ok) return fail(options, EXIT_CODE.usage, signer.error)
  await printStoreError(options, async () => {
    const now = Date.now()
    const together = options.fleet === undefined ? null : positionsByDay(configs, options, now)
    const closed: ClosedDay[] = []
    for (const config of configs) {
      const { name } = config.core
      const out = options.fleet === undefined ? options.out : join(options.out, name)
      const evidence = evidenceOf(config, now)
      const fleet = together?.get(dayNamed(options.day, config, now)) ?? null
      const closing = { ...options, out, signer: signer.value, fleet }
      const made = evidence.ok
        ? await closePosition(config, { ...closing, evidence: evidence.value }, now)
        : err({ exitCode: EXIT_CODE.failed, why: evidence.error })
      if (made.ok) closed.push(made.value)
      else fail(options, made.error.exitCode, `${name}: ${made.error.why}`, { position: name })
      if (options.fleet === undefined && !made.ok) return
    }
    if (options.fleet !== undefined && closed.length > 0) {
      const names = closed.map(({ document }) => document.position)
      const listed = await withFileLock(join(options.out, LOCK), () =>
        Promise.resolve(updateIndex(options.out, names, signer.value)),
      )
      const kept = listed.ok ? listed.value : listed
      if (!kept.ok) fail(options, EXIT_CODE.failed, kept.error)
    }
    const failed = process.exitCode ?? EXIT_CODE.ok
    print(
      options,
      closed.flatMap(linesOf).map(printable).join('\n'),
      options.fleet === undefined ? shown(closed[0]) : closed.map(shown),
    )
    const isUnstamped = closed.some(({ timestampProblem }) => timestampProblem !== null)
    process.exitCode = failed === EXIT_CODE.ok && isUnstamped ? EXIT_CODE.failed : failed
  })
}

/** A close needs neither the venue nor the strategy, so it also runs on machines without their secrets. */
async function configsOf(options: CloseOptions): Promise<readonly LoadedConfig[] | null> {
  if (options.fleet !== undefined) {
    const fleet = await loadFleetOrExplain(options.fleet, options, { offline: true, probeLimitMs: TRIAL_MS })
    if (fleet === null) return null
    const configs = fleet.files.flatMap(({ loaded }) => (loaded.ok ? [loaded.value] : []))
    // A warning about the others was printed above: their days are not closed.
    if (configs.length < fleet.files.length) process.exitCode = EXIT_CODE.failed
    if (configs.length === 0)
      fail(options, EXIT_CODE.usage, `${join(options.fleet, '*.yaml')}: no file makes a position`)
    return configs.length === 0 ? null : configs
  }
  const config = await loadOrExplain(options.config ?? '', options, { offline: true, strategy: 'load-apart' })
  return config === null ? null : [config]
}

function linesOf(closed: ClosedDay): readonly string[] {
  const { document, sha256, isSigned, timestampProblem, isNew, takenBack } = closed
  const { position, day, status, fills, entries, journal } = document
  return [
    `${position}, ${day}: ${status}${isNew ? '' : ', closed already and unchanged'}; ${fills.length} fills, ${entries.length} entries, events ${journal.first} to ${journal.last}`,
    ...(status === 'final'
      ? []
      : ['the day is not over: run it again after its end, and the final close replaces this one']),
    ...takenBack.map(
      ({ fillId, number }) =>
        `fill ${fillId} was taken back after this day, by entry ${number} of the ledger: that entry is in the close of the day on which it was booked, and this close does not change`,
    ),
    `sha-256 ${sha256}${isSigned ? ', signed' : ', not signed'}`,
    ...(timestampProblem === null
      ? []
      : [`NOT TIME-STAMPED: ${timestampProblem}; run it again to add the time-stamp`]),
  ]
}

function shown(closed: ClosedDay | undefined): object {
  if (closed === undefined) return {}
  const { document, ...rest } = closed
  const { position, day, status, from, to, journal, pnl, fills, entries } = document
  return {
    position,
    day,
    status,
    from,
    to,
    journal,
    pnl,
    fills: fills.length,
    entries: entries.length,
    ...rest,
  }
}
