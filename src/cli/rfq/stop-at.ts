import type { Ms } from '../../base/time.ts'
import { loadConfig } from '../../daemon/config/load/load-config.ts'
import { writeSignerStop } from '../../daemon/runtime/effects/write-signer-stop.ts'
import { strategiesFolder } from '../../daemon/runtime/position/strategy-registry.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { contactOrExplain, loadOrExplain } from '../load-or-explain.ts'
import { commandDaemon, operatorName } from '../operator/daemon-client.ts'
import { unreached } from '../operator/operate.ts'
import type { DaemonOptions } from '../options.ts'
import { fail, printOutcome, type OutputFormat } from '../output/print.ts'
import { NO_SELF_CUSTODY } from './list.ts'

type RfqStopAtOptions = OutputFormat & DaemonOptions

/**
 * Writes the signer's stop time into its file. A running daemon reads it before its next signature, so this works
 * even if no process answers. With a store in PostgreSQL it is also written there, for signers on other machines.
 */
export async function rfqStopAt(when: string, options: RfqStopAtOptions): Promise<void> {
  const stopAt = momentOf(when)
  if (stopAt === undefined)
    return fail(options, EXIT_CODE.usage, `${when}: expected now, never or a time like 2026-11-18T06:40:00Z`)
  const { config: file } = options
  const isStop = stopAt !== null && stopAt <= Date.now()
  const whole = file === undefined ? null : await loadConfig(file, process.env, WITHOUT_STRATEGY)
  if (file === undefined || (isStop && whole?.ok !== true)) return stopByDaemon(isStop, options)
  const config = await loadOrExplain(file, options)
  if (config === null) return
  const { rfq: settings, name } = config.core
  if (settings === null || config.rfq === null) return fail(options, EXIT_CODE.refused, NO_SELF_CUSTODY)
  const wallet = { config, settings, rfq: config.rfq }
  const problem = await writeSignerStop(wallet, stopAt)
  if (problem !== null) return fail(options, EXIT_CODE.failed, problem)
  const answer =
    stopAt === null
      ? 'the signer signs again, within its limits'
      : `the signer signs no order and raises no allowance from ${new Date(stopAt).toISOString()} on; it still takes orders back. What it signed before can be filled until it expires: \`rfq cancel-all\` ends that sooner`
  const outcome = {
    command: 'rfq stop-at',
    position: name,
    via: 'store',
    exitCode: EXIT_CODE.ok,
    answer,
  } as const
  printOutcome(options, outcome, { stopAt })
}

const WITHOUT_STRATEGY = { strategiesFolder: strategiesFolder(), skipStrategy: true }

/** The daemon stops its own signer even if its configuration file has become invalid; a later time and a lift need the signer's file. */
async function stopByDaemon(isStop: boolean, options: RfqStopAtOptions): Promise<void> {
  if (!isStop)
    return fail(
      options,
      EXIT_CODE.usage,
      'only `rfq stop-at now` works without a configuration: give --config',
    )
  const contact = await contactOrExplain(options, { isStop })
  if (contact === null) return
  const by = { who: operatorName(), why: 'rfq stop-at now' }
  const outcome = await commandDaemon(contact, 'stopSigning', by)
  if (outcome === null && options.config !== undefined) await loadOrExplain(options.config, options)
  else printOutcome(options, outcome ?? unreached(contact, 'rfq stop-at'))
}

/** Returns undefined for an invalid time; null = never. */
function momentOf(text: string): Ms | null | undefined {
  if (text === 'never') return null
  if (text === 'now') return Date.now()
  const at = Date.parse(text)
  return /^\d{4}-\d\d-\d\d/.test(text) && Number.isFinite(at) ? at : undefined
}
