import { composeMessage } from '../../daemon/notify/message/compose-message.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { placeOf, sendOnce, sentLine } from '../../daemon/runtime/host/notifications/send-once.ts'

/** Sends one message to every channel of the configuration and prints the answer of each. */
export async function notifyTest(options: OutputFormat & { readonly config: string }): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  if (config.notify === null) {
    return fail(options, EXIT_CODE.usage, 'notify names no channel; configure telegram, slack or webhook')
  }
  const entry = { t: Date.now(), text: 'messages of this position arrive here' }
  const subject = {
    kind: 'test',
    severity: 'info',
    code: 'test',
    count: 1,
    first: entry,
    last: entry,
    since: null,
  } as const
  const message = composeMessage(placeOf(config, config.notify), subject)
  const channels = await sendOnce(config.notify, message)
  const exitCode = channels.every(({ outcome }) => outcome === 'sent') ? EXIT_CODE.ok : EXIT_CODE.failed
  print(options, channels.map(sentLine).join('\n'), { position: config.core.name, channels, exitCode })
  process.exitCode = exitCode
}
