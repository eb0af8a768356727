import { expect, test } from 'vitest'
import { startProcess } from '../../../../../src/simulator/drills/stage/process.ts'

/** A process that prints these lines and stays. */
function printing(...lines: readonly string[]) {
  const code = `process.stdout.write(${JSON.stringify(lines.map((line) => `${line}\n`).join(''))}); setInterval(() => {}, 1_000)`
  return startProcess({
    name: 'daemon',
    command: [process.execPath, '-e', code],
    env: {},
    listening: 'listening',
    onSpawn: () => undefined,
  })
}

test('a line that begins like JSON and is invalid is skipped, and the rest of the log is read', async () => {
  const started = await printing(
    '{ bidBps: 60, askBps: 70 }',
    '{"level":"warn","msg":"the mid is old","code":"mid-age"}',
    '{',
    '{"level":"info","msg":"listening","url":"http://127.0.0.1:5"}',
  )
  if (!started.ok) throw new Error(started.error)
  const { url, notices, kill, hasEnded } = started.value
  expect(url).toBe('http://127.0.0.1:5')
  expect(notices.map(({ code, what }) => [code, what])).toEqual([['mid-age', 'the mid is old']])
  await kill('SIGKILL')
  expect(hasEnded()).toBe(true)
})
