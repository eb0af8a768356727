import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type {
  CarriedPosition,
  PositionWorkers,
  Restart,
} from '../../../../../src/daemon/runtime/host/position-workers.ts'
import { supervisePosition } from '../../../../../src/daemon/runtime/host/supervisor.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A supervised position whose worker is played by the test. */
function supervised() {
  const carried: CarriedPosition[] = []
  const restarts: Restart[] = []
  const seat = {
    ask: () => Promise.resolve(null),
    restart: (restart: Restart) => void restarts.push(restart),
    leave: () => Promise.resolve(),
  }
  const workers = { seat: (one: CarriedPosition) => (carried.push(one), seat) } as unknown as PositionWorkers
  const { health } = supervisePosition(
    {
      name: 'desk',
      isolate: false,
      withChain: false,
      init: () => ({ configFile: 'desk.yaml' }),
      onLog: () => undefined,
      makeSafe: () => Promise.resolve(),
      onFatal: () => undefined,
    },
    workers,
  )
  return {
    health,
    restarts,
    say: (...[message]: Parameters<CarriedPosition['onMessage']>) => carried[0]?.onMessage(message),
  }
}

test('a position whose strategy was lost in an event comes back with the strategy suspended before that event', () => {
  const { restarts, say } = supervised()
  const suspension = { seq: 41, reason: 'the strategy did not answer' }
  say({ type: 'crashed', text: 'lost', suspension })
  expect(restarts).toEqual([{ pauseMs: 250, suspension }])
})

test('a position that crashed is alive for the 10 s in which it may come back, dead after them, and alive once it runs', () => {
  const { health, say } = supervised()
  say({ type: 'running' })
  say({ type: 'crashed', text: 'it threw' })
  vi.advanceTimersByTime(9_900)
  say({ type: 'crashed', text: 'it threw again' })
  expect(health()).toEqual({ alive: true, why: 'restarting' })
  vi.advanceTimersByTime(100)
  expect(health()).toEqual({ alive: false, why: 'restarting' })
  say({ type: 'running' })
  expect(health()).toEqual({ alive: true, why: null })
})
