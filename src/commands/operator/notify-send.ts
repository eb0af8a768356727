import { randomUUID } from 'node:crypto'
import { SEVERITY_RANK } from '../../alerts/entry.ts'
import { isPositionNotice, POSITION_NOTICES } from '../../alerts/position-notices.ts'
import { readNotify } from '../../config/load/notify.ts'
import { parseConfig } from '../../config/load/parse-config.ts'
import { formatProblem } from '../../config/source/problem.ts'
import type { Message } from '../../notify/message/message.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { fail, type OutputFormat, print } from '../output/print.ts'
import { sendOnce, sentLine } from './send-once.ts'

export type SendOptions = OutputFormat & {
  readonly config: string
  readonly code: string
  readonly text: string
}

/** Sends one notice to the channels that want one of its severity. No strategy is loaded: a broken one must not keep a message back. */
export async function notifySend(options: SendOptions): Promise<void> {
  const { config: path, code, text } = options
  if (!isPositionNotice(code))
    return fail(options, EXIT_CODE.usage, `there is no notice ${code}; docs/runbook.md lists their codes`)
  const parsed = parseConfig(path, {})
  if (!parsed.ok) return fail(options, EXIT_CODE.usage, parsed.error.map(formatProblem).join('\n'))
  const { file, place } = parsed.value
  const notify = readNotify(file.notify, path, process.env)
  if (!notify.ok)
    return fail(options, EXIT_CODE.usage, notify.error.map((one) => formatProblem(place(one))).join('\n'))
  if (notify.value === null) return fail(options, EXIT_CODE.usage, 'notify names no channel')
  const { severity, advice } = POSITION_NOTICES[code]
  const heard = { t: Date.now(), text }
  const message: Message = {
    id: randomUUID(),
    position: file.name,
    mode: file.mode,
    kind: 'raised',
    severity,
    code,
    count: 1,
    first: heard,
    last: heard,
    since: null,
    advice,
    runbook: `${notify.value.runbookUrl}#${code}`,
    console: null,
  }
  const wants = ({ minSeverity }: { readonly minSeverity: Message['severity'] }) =>
    SEVERITY_RANK[severity] >= SEVERITY_RANK[minSeverity]
  const channels = await sendOnce(notify.value, message, wants)
  const isSent = channels.some(({ outcome }) => outcome === 'sent') || channels.length === 0
  const exitCode = isSent ? EXIT_CODE.ok : EXIT_CODE.failed
  const lines =
    channels.length === 0 ? [`no channel wants a notice of severity ${severity}`] : channels.map(sentLine)
  print(options, lines.join('\n'), { position: file.name, channels, exitCode })
  process.exitCode = exitCode
}
