import { expect, test } from 'vitest'
import { createThreadMetrics } from '../../../src/daemon/telemetry/metrics/event-loop-delay.ts'

async function longestMs(read: ReturnType<typeof createThreadMetrics>): Promise<number | null> {
  const [family] = await read()
  const longest = /\{thread="worker-7",quantile="1"\} (\S+)/.exec(family?.series ?? '')?.[1]
  return longest === undefined ? null : Number(longest) * 1_000
}

const turns = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('a thread that does not come to its timers shows how late it was, once, and nothing before it was looked at', async () => {
  const read = createThreadMetrics('worker-7')
  expect(await longestMs(read)).toBeNull()
  await turns(50)
  block(400)
  await turns(50)
  const late = await longestMs(read)
  expect(late).toBeGreaterThan(350)
  expect(await read()).toMatchObject([{ name: 'mizani_event_loop_delay_seconds' }])
  await turns(100)
  expect(await longestMs(read)).toBeLessThan(350)
})
