import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EXIT_CODE } from '../../../src/base/exit-code.ts'
import { repeatUntilSignal } from '../../../src/cli/repeat.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  process.exitCode = 0
})

const HOUR_MS = 3_600_000

describe('a command with --every', () => {
  test('runs again after each pause, also after a failure, and ends with exit code 0 at SIGTERM', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    let runs = 0
    const ended = repeatUntilSignal(HOUR_MS, async () => {
      runs += 1
      process.exitCode = runs === 1 ? EXIT_CODE.failed : EXIT_CODE.usage
    })
    await vi.advanceTimersByTimeAsync(HOUR_MS - 1)
    expect(runs).toBe(1)
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
    expect(runs).toBe(3)
    process.emit('SIGTERM')
    await ended
    expect([runs, process.exitCode]).toEqual([3, EXIT_CODE.ok])
  })

  test('ends at once where its first run was asked for wrongly', async () => {
    await repeatUntilSignal(HOUR_MS, async () => {
      process.exitCode = EXIT_CODE.usage
    })
    expect(process.exitCode).toBe(EXIT_CODE.usage)
  })

  test('gives a run that a signal interrupts five seconds', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    const run = Promise.withResolvers<void>()
    const ended = repeatUntilSignal(HOUR_MS, () => run.promise)
    process.emit('SIGINT')
    await vi.advanceTimersByTimeAsync(4_999)
    expect(exit).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(exit).toHaveBeenCalledWith(EXIT_CODE.ok)
    run.resolve()
    await ended
  })

  test('runs once without it', async () => {
    const run = vi.fn(async () => undefined)
    await repeatUntilSignal(undefined, run)
    expect(run).toHaveBeenCalledTimes(1)
  })
})
