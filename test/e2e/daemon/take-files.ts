import type { RunningDaemon } from './running-daemon.ts'
import { until } from './until.ts'

/** Has the daemon read its files again until it takes them: on a busy machine a trial of new code can come to its time limit. */
export async function takeFiles(daemon: RunningDaemon): Promise<void> {
  let last: unknown
  await until(
    'the daemon takes its files',
    async () => {
      const { status, body } = await daemon.post('reload', { fromFile: true })
      last = body
      return status === 200
    },
    { otherwise: () => last },
  )
}
