import { expect, onTestFinished, test } from 'vitest'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import type { Effect } from '../../../../../src/core/engine/model/effect.ts'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import { systemClock } from '../../../../../src/daemon/runtime/position/clock.ts'
import { runPosition } from '../../../../../src/daemon/runtime/position/run-position.ts'
import type { PostedStore } from '../../../../../src/store/journal/posted-store.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'
import { durable, freshFolder, openHere, valueOf } from '../../../store/store-fixture.ts'

const strategy = testStrategy()

test('a snapshot follows an event that changes the code of the strategy, and none that changes its parameters', async () => {
  const store = valueOf(await openHere(freshFolder()))
  onTestFinished(() => store.close())
  const snapshots: number[] = []
  const position = await runPosition({
    config: { core: coreConfig(), strategy } as LoadedConfig,
    version: 'test',
    store: { ...store, saveSnapshot: ({ seq }) => void snapshots.push(seq) },
    clock: systemClock(),
    perform: () => new Promise<Event>(() => undefined),
    observe: () => undefined,
    observeDecision: () => undefined,
    heartbeat: { enter: () => undefined, leave: () => undefined },
    suspension: null,
    loadStrategy: () => Promise.resolve(strategy),
  })
  onTestFinished(() => position.stop())
  const reload = (choice: Partial<LoadedConfig['strategy']>): number => {
    const changed = { ...strategy, ...choice }
    const { use, params, sourceHash } = changed
    const core = coreConfig({ strategy: { use, params, sourceHash } })
    position.reload({ config: { core, strategy: changed } as LoadedConfig, set: {}, dropped: [] })
    return position.seq()
  }
  reload({ params: { a: 1 } })
  expect(snapshots).toEqual([])
  const other = reload({ sourceHash: 'other' })
  expect(snapshots).toEqual([other])
  reload({ sourceHash: 'other', params: { a: 2 } })
  expect(snapshots).toEqual([other])
  const back = reload({})
  expect(snapshots).toEqual([other, back])
})

test('an effect is performed once the store has acknowledged its event, and never where the store fails before', async () => {
  const store = valueOf(await openHere(freshFolder()))
  onTestFinished(() => store.close())
  const acknowledge: ((seq: number) => void)[] = []
  const slow: PostedStore = { ...store, onDurable: (listener) => void acknowledge.push(listener) }
  const performed: Effect['type'][] = []
  const position = await runPosition({
    config: { core: coreConfig(), strategy } as LoadedConfig,
    version: 'test',
    store: slow,
    clock: systemClock(),
    perform(effect) {
      performed.push(effect.type)
      return new Promise<Event>(() => undefined)
    },
    observe: () => undefined,
    observeDecision: () => undefined,
    heartbeat: { enter: () => undefined, leave: () => undefined },
    suspension: null,
    loadStrategy: () => Promise.resolve(strategy),
  })
  onTestFinished(() => position.stop())
  await durable(store, position.seq())
  // It is on disk, and no one has told the loop: whatever lies between the two, nothing leaves.
  expect(performed).toEqual([])
  for (const listener of acknowledge) listener(position.seq())
  expect(performed.length).toBeGreaterThan(0)

  const before = performed.length
  position.command({ name: 'halt' }, 'amina', 'a test')
  await durable(store, position.seq())
  position.stop()
  for (const listener of acknowledge) listener(position.seq())
  expect(performed).toHaveLength(before)
})
