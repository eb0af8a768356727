import { keepResult, readResult } from '../../../daemon/runtime/position/result-files.ts'
import { challengerSummary } from '../../../daemon/view/challenger-text.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { NO_CHANNEL, sendNotice, sentLine } from '../../../daemon/runtime/host/notifications/send-once.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { challengerNotice } from '../../../research/jobs/challenger/judge-challenger.ts'
import { runChallenger } from '../../../research/jobs/challenger/run-challenger.ts'

type ChallengerOptions = OutputFormat & { readonly config: string; readonly notify?: boolean }

/**
 * Runs the configured challenger over the position's recording since the challenger's first run, and stores the
 * result in the store's folder. The result depends only on the recording. Exit code 1 if the challenger is suspended
 * or did not run.
 */
export async function challenger(options: ChallengerOptions): Promise<void> {
  const { notify = false } = options
  // Only messages need secrets: neither the recording nor the simulated venue does.
  const config = await loadOrExplain(options.config, options, { offline: !notify })
  if (config === null) return
  if (config.challenger === null)
    return fail(options, EXIT_CODE.usage, 'the configuration names no challenger: name one under challenger')
  if (notify && config.notify === null) return fail(options, EXIT_CODE.usage, NO_CHANNEL)
  const last = readResult(config, 'challenger')
  const before = last.ok ? last.value : null
  const next = await runChallenger(config, config.challenger, before, Date.now())
  const kept = await keepResult(config, 'challenger', next)
  const notice = challengerNotice(before, next, Date.now())
  const sent = notify && notice !== null ? await sendNotice(config, notice) : []
  if (!kept.ok) return fail(options, EXIT_CODE.failed, kept.error)
  const isWrong = next.suspended !== null || next.problem !== null || sent.some((one) => one.why !== null)
  const exitCode = isWrong ? EXIT_CODE.failed : EXIT_CODE.ok
  const warnings = (next.compared?.warnings ?? []).map((text) => `warning  ${text}`)
  const line = `challenger ${next.use}: ${challengerSummary(next)}`
  const data = { position: config.core.name, ...next, notified: sent, exitCode }
  print(options, [...warnings, line, ...sent.map(sentLine)].join('\n'), data)
  process.exitCode = exitCode
}
