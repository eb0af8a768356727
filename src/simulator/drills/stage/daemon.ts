import { ok, type Result } from '../../../base/result.ts'
import { openHttpClient } from '../../../base/http/client.ts'
import { type PositionView, viewSchema } from '../../../daemon/view/position-view.ts'
import { type DrilledProcess, type ProcessStart, startProcess } from './process.ts'
import { openTreasuryClient, type Person, type TreasuryClient } from './treasury-client.ts'

export type DaemonProcess = DrilledProcess & {
  /** Its state, or null where it does not answer. */
  readonly view: () => Promise<PositionView | null>
  readonly treasury: TreasuryClient
}

const LIMITS = { timeoutMs: 2_000, maxBytes: 4_194_304, connections: 1 } as const

type DaemonStart = Pick<ProcessStart, 'command' | 'env' | 'onSpawn'> & {
  readonly token: string
  readonly people: readonly [Person, Person]
}

/** Starts the daemon as a process of its own; an error is what it wrote before it ended. */
export async function startDaemon({
  token,
  people,
  ...start
}: DaemonStart): Promise<Result<DaemonProcess, string>> {
  const started = await startProcess({ ...start, name: 'daemon', listening: 'listening' })
  if (!started.ok) return started
  const process = started.value
  const http = openHttpClient(LIMITS)
  const treasury = openTreasuryClient(process.url, people)
  return ok({
    ...process,
    treasury,
    async view() {
      const headers = { authorization: `Bearer ${token}` }
      const request = {
        origin: process.url,
        method: 'GET',
        path: '/api/v1/state',
        headers,
        body: null,
      } as const
      const answer = await http.send(request)
      if (!answer.ok || answer.value.status !== 200) return null
      const view = viewSchema.safeParse(JSON.parse(answer.value.text))
      return view.success ? view.data : null
    },
    async kill(signal) {
      await process.kill(signal)
      await Promise.all([http.close(), treasury.close()])
    },
  })
}
