import type { Notice } from '../../../src/daemon/notify/notice.ts'
import type { PositionAnswers, PositionCall } from '../../../src/daemon/runtime/worker/messages.ts'
import { launchPosition } from '../../../src/daemon/runtime/worker/launch-position.ts'
import { createThreadServices } from '../../../src/daemon/runtime/worker/thread-services.ts'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { buildTreasuryView, type TreasuryView } from '../../../src/daemon/view/treasury-view.ts'
import { setEnvironment } from './caught-process.ts'
import { TEST_ENV } from './running-daemon.ts'

/** What a worker's thread runs of a position, in the thread of the test, which measures what it covers. */
export type PositionHere = {
  readonly state: () => Promise<PositionView>
  readonly treasury: () => Promise<TreasuryView>
  /** In the text form of Prometheus. */
  readonly metrics: () => Promise<string>
  readonly ask: <Call extends PositionCall>(call: Call) => Promise<PositionAnswers[Call['method']]>
  /** What people were notified of, oldest first. */
  readonly notices: readonly Notice[]
  /** Ends it in good order, and what it started; its exit line. */
  readonly leave: () => Promise<string>
}

const LEAVING_MS = 10_000

/** Starts the position of a configuration. Throws why it could not start, or cannot go on. */
export async function startPositionHere(
  configFile: string,
  env: Readonly<Record<string, string>> = {},
): Promise<PositionHere> {
  const restoreEnvironment = setEnvironment({ ...TEST_ENV, ...env })
  const heartbeat = new SharedArrayBuffer(8)
  const thread = createThreadServices({ version: 'test', heartbeat, withChain: false })(1)
  const notices: Notice[] = []
  const failures: string[] = []
  const position = await launchPosition(
    { configFile, changes: { 'log.level': 'silent' }, suspension: null },
    thread,
    {
      fatal: (_exitCode, message) => void failures.push(message),
      crashed: (error) => void failures.push(String(error)),
      notify: (notice) => void notices.push(notice),
      standsBy: () => undefined,
      takesOver: () => undefined,
      ended: new AbortController().signal,
    },
  )
  if (position === null) throw new Error(failures.join('\n'))
  const { answer } = position
  async function ask<Call extends PositionCall>(call: Call): Promise<PositionAnswers[Call['method']]> {
    if (failures.length > 0) throw new Error(failures.join('\n'))
    return (await answer(call)) as PositionAnswers[Call['method']]
  }
  return {
    ask,
    notices,
    state: () => ask({ method: 'view' }),
    async treasury() {
      const reading = await ask({ method: 'treasuryView' })
      if (reading === null) throw new Error('the position has no treasury')
      return buildTreasuryView(reading.state, reading.plan, reading.now)
    },
    async metrics() {
      const families = await ask({ method: 'metrics' })
      return families.map(({ head, series }) => head + series).join('')
    },
    async leave() {
      const line = await ask({ method: 'shutdown', withinMs: LEAVING_MS })
      await thread.journal.close()
      restoreEnvironment()
      return line
    },
  }
}
