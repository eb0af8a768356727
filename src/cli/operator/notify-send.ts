import { randomUUID } from 'node:crypto'
import { text as readAll } from 'node:stream/consumers'
import { z } from 'zod'
import { isPositionNotice } from '../../core/alerts/position-notices.ts'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { GuardNotice, OutgoingNotice } from '../../daemon/guard/notices/notice.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, type OutputFormat, print, writeJson } from '../output/print.ts'
import { createNoticeSender } from '../../daemon/runtime/host/notifications/send-notices.ts'
import { sentLine } from '../../daemon/runtime/host/notifications/send-once.ts'

type SendOptions = OutputFormat & {
  readonly config?: string
  readonly code?: string
  readonly text?: string
  readonly step?: number
  readonly batch?: boolean
}

/**
 * Sends one notice to the channels that accept its severity, or a batch from standard input for the guard. Loads no
 * strategy, so that a broken one cannot hold a message back.
 */
export async function notifySend(options: SendOptions): Promise<void> {
  if (options.batch === true) return sendBatch()
  const { config, code, text, step = 0 } = options
  if (config === undefined || code === undefined || text === undefined)
    return fail(options, EXIT_CODE.usage, '--config, --code and --text are needed, or --batch')
  if (!isPositionNotice(code))
    return fail(options, EXIT_CODE.usage, `unknown notice ${code}; docs/runbook.md lists the codes`)
  const entry = { t: Date.now(), text }
  const sender = createNoticeSender(process.env)
  const sent = await sender.send({
    id: randomUUID(),
    position: '',
    configFile: config,
    kind: 'raised',
    code: code as GuardNotice,
    count: 1,
    first: entry,
    last: entry,
    since: null,
    audience: [step],
    isEnd: false,
    only: null,
  })
  await sender.close()
  if (!sent.ok) return fail(options, EXIT_CODE.usage, sent.error)
  const { position, channels } = sent.value
  const isSent = channels.every(({ outcome }) => outcome === 'sent')
  const exitCode = isSent ? EXIT_CODE.ok : EXIT_CODE.failed
  const lines =
    channels.length === 0 ? [`no channel accepts the severity of ${code}`] : channels.map(sentLine)
  print(options, lines.join('\n'), { position, channels, exitCode })
  process.exitCode = exitCode
}

/** Prints one JSON line for each notice as soon as its channels have answered. */
async function sendBatch(): Promise<void> {
  const read = await readBatch()
  if (!read.ok) return fail({ json: false }, EXIT_CODE.usage, read.error)
  const sender = createNoticeSender(process.env)
  await Promise.all(
    read.value.map(async (notice) => {
      const sent = await sender.send(notice)
      const missed = sent.ok ? sent.value.channels.filter(({ outcome }) => outcome !== 'sent') : []
      const [first] = missed
      const delivery = sent.ok
        ? {
            left: missed.map(({ key }) => key),
            why: first === undefined ? null : `${first.channel}: ${first.why}`,
          }
        : // Which channels there are is not known: all of them are left.
          { left: notice.only ?? ['*'], why: sent.error }
      writeJson({ id: notice.id, ...delivery })
    }),
  )
  await sender.close()
}

const timedText = z.object({ t: z.number(), text: z.string() })
const batch = z.object({
  notices: z.array(
    z.object({
      id: z.string(),
      position: z.string(),
      configFile: z.string(),
      kind: z.enum(['raised', 'reminder', 'lifted', 'acknowledged']),
      code: z.string().refine(isPositionNotice),
      count: z.int(),
      first: timedText,
      last: timedText,
      since: z.number().nullable(),
      audience: z.array(z.int().min(0)),
      isEnd: z.boolean(),
      only: z.array(z.string()).nullable(),
    }),
  ),
})

async function readBatch(): Promise<Result<readonly OutgoingNotice[], string>> {
  try {
    const { notices } = batch.parse(JSON.parse(await readAll(process.stdin)))
    return ok(notices as readonly OutgoingNotice[])
  } catch (error) {
    return err(`standard input has no batch of notices: ${errorText(error)}`)
  }
}
