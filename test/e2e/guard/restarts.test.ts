import { expect, onTestFinished, test } from 'vitest'
import { type RunningDaemon } from '../daemon/running-daemon.ts'
import { guardedDesk } from './guarded-desk.ts'

const criticalAlerts = ({ output }: RunningDaemon) =>
  output()
    .split('\n')
    .filter((line) => line.includes('"severity":"critical"'))

test('no restart of a daemon or of its guard raises a critical alert: a signal, kill -9 with a supervisor, an update of both', async () => {
  const desk = await guardedDesk({ whenSilent: 'safe' })
  onTestFinished(() => desk.close())
  let guard = await desk.startGuard()
  let daemon = desk.startDaemon()
  await desk.quoting(daemon)
  const all = [daemon]
  const restarts: readonly (() => Promise<void>)[] = [
    async () => {
      await daemon.kill('SIGTERM')
      daemon = desk.startDaemon()
    },
    async () => {
      await guard.kill('SIGTERM')
      guard = await desk.startGuard()
    },
    async () => {
      await daemon.kill('SIGKILL')
      daemon = desk.startDaemon()
    },
    // An update, or a reboot: the daemon is up before its guard.
    async () => {
      await daemon.kill('SIGTERM')
      await guard.kill('SIGTERM')
      daemon = desk.startDaemon()
      await daemon.url()
      guard = await desk.startGuard()
    },
  ]
  for (const restart of restarts) {
    await restart()
    all.push(daemon)
    await desk.quoting(daemon)
  }
  expect(all.flatMap(criticalAlerts)).toEqual([])
  await daemon.kill('SIGTERM')
  await guard.kill('SIGTERM')
}, 300_000)
