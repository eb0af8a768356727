import { describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../../../../src/base/result.ts'
import { emptyRecord } from '../../../../../src/daemon/guard/position/record.ts'
import { createAllPositions } from '../../../../../src/daemon/guard/process/all-positions.ts'
import type { UnwatchedFile } from '../../../../../src/daemon/guard/process/settings.ts'
import type { GuardVenue } from '../../../../../src/daemon/guard/process/guard-venue.ts'
import { watchPosition } from '../../../../../src/daemon/guard/process/watch-position.ts'
import { PROTOCOL_VERSION, type PositionRenewal } from '../../../../../src/daemon/guard/protocol/renewal.ts'
import { recordingReport } from '../../../../support/recording-report.ts'
import { POSITION, renewalOf } from '../guarded-position.ts'

const HOLDER = 'a'.repeat(32)

/** A guard of two positions on a virtual clock, whose disk and whose venue do what `world` says. */
function guarding(unwatched: readonly UnwatchedFile[] = []) {
  const world = {
    at: 0,
    saved: ok(null) as Result<null, string>,
    saves: 0,
    refusesKey: false,
    blocksWrites: false,
  }
  const { report, lines } = recordingReport()
  const clock = { now: () => world.at, wall: () => 1_000_000 + world.at }
  const outcome = () =>
    Promise.resolve(
      world.refusesKey
        ? ({ kind: 'refused-key', words: 'the venue refuses the key (401)' } as const)
        : ({ kind: 'done', words: 'confirmed' } as const),
    )
  const client: GuardVenue = {
    write: outcome,
    deactivate: outcome,
    readSide: () =>
      Promise.resolve(
        world.blocksWrites ? err({ blocksWrites: true, words: 'the venue refuses the key (401)' }) : ok(60),
      ),
    readActive: () => Promise.resolve(false),
  }
  let hasChanged = false
  const watch = (name: string) =>
    watchPosition({
      settings: { ...POSITION, name },
      kept: emptyRecord(),
      openClient: () => client,
      report,
      clock,
      onChange: () => (hasChanged = true),
      rows: null,
    })
  const all = createAllPositions({
    positions: new Map(['one', 'two'].map((name) => [name, watch(name)])),
    kept: {
      save() {
        world.saves += 1
        return world.saved
      },
    },
    report,
    unwatched,
    clock,
    hasChanged() {
      const had = hasChanged
      hasChanged = false
      return had
    },
  })
  const renew = (...positions: readonly PositionRenewal[]) =>
    all.renew({ version: PROTOCOL_VERSION, holder: HOLDER, deadlineMs: 3_000, positions })
  return {
    all,
    world,
    lines,
    renew,
    of: (name: string, count: number) => renewalOf(count, { name }),
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 100) {
        world.at += 100
        all.tick()
        for (let times = 0; times < 10; times += 1) await Promise.resolve()
      }
    },
  }
}

describe('All positions of a guard', () => {
  test('are renewed by one message, each for itself, and a name that it has not is unknown', () => {
    const { renew, of, world } = guarding()
    expect(renew(of('one', 1), of('three', 1))).toMatchObject({
      version: PROTOCOL_VERSION,
      positions: [
        { name: 'one', fence: 1 },
        { name: 'three', fence: null, refusal: 'unknown' },
      ],
    })
    expect(world.saves).toBe(1)
    // Nothing has changed but the time: the disk is left alone.
    renew(of('one', 2))
    expect(world.saves).toBe(1)
  })

  test('are granted nothing whose number is not on disk, and are granted it when the disk takes it', async () => {
    const { all, renew, of, world, lines, pass } = guarding()
    const full = 'guard.json: cannot be written: ENOSPC'
    world.saved = err(full)
    expect(renew(of('one', 1))).toBeNull()
    expect(all.obstacle()).toBe(full)
    // Nothing has changed since, and the number is not on disk yet.
    expect(renew(of('one', 2))).toBeNull()
    await pass(100)
    expect(renew(of('one', 3))).toBeNull()
    // It is tried again and again, and logged once.
    expect(lines.filter((line) => line.includes('ENOSPC'))).toHaveLength(1)
    world.saved = ok(null)
    expect(renew(of('one', 4))).toMatchObject({ positions: [{ fence: 1 }] })
    expect(all.obstacle()).toBeNull()
  })

  test('have an obstacle while the venue refuses the key of one of them', async () => {
    const { all, renew, of, world, pass } = guarding()
    renew(of('one', 1), of('two', 1))
    expect(all.obstacle()).toBeNull()
    world.refusesKey = true
    await pass(4_600)
    expect(all.obstacle()).toMatch(/^one: .*401/)
  })

  test('have an obstacle while they are drained, and where a file of the fleet is not watched', () => {
    const { all, renew, of } = guarding()
    renew(of('one', 1), of('two', 1))
    all.drain(['two'])
    expect(all.obstacle()).toMatch(/^two: .*drained/)
    const [file, why] = ['fleet/c.yaml', 'fleet/c.yaml:2:1: quote: missing']
    expect(guarding([{ file, why }]).all.obstacle()).toBe(`${file}: ${why}`)
  })

  test('have an obstacle while the guard could not reach the venue for one of them, though its daemon lives', async () => {
    const { all, renew, of, world, pass } = guarding()
    world.blocksWrites = true
    for (let count = 1; count <= 50; count += 1) {
      renew(of('one', count), of('two', count))
      await pass(1_000)
    }
    expect(all.obstacle()).toContain('the key (401)')
    world.blocksWrites = false
    for (let count = 51; count <= 90; count += 1) {
      renew(of('one', count), of('two', count))
      await pass(1_000)
    }
    expect(all.obstacle()).toBeNull()
  })

  test('drained positions are reported as drained and the guard never fires for them, except where it already acts', async () => {
    const { all, renew, of, pass } = guarding()
    renew(of('one', 1))
    await pass(4_600)
    renew(of('two', 1))
    expect(all.drain(null)).toEqual(['one', 'two'])
    await pass(10_000)
    expect(all.status().map(({ state }) => state)).toEqual(['guarding', 'unwatched'])
    expect(renew(of('two', 2))).toMatchObject({ positions: [{ refusal: 'drained' }] })
    // It is handed back first, and drained after that.
    expect(renew(of('one', 2))).toMatchObject({ positions: [{ fence: 2 }] })
    expect(renew(of('one', 3))).toMatchObject({ positions: [{ refusal: 'drained' }] })
  })

  test('are released by name, and a name that there is not releases none', async () => {
    const { all, renew, of, pass } = guarding()
    renew(of('one', 1))
    await pass(4_600)
    expect(all.release(['one', 'nobody'])).toEqual(['one'])
    expect(all.release(['nobody'])).toEqual([])
  })

  test('wait anew where the process did not run for a second', async () => {
    const { all, renew, of, world, lines, pass } = guarding()
    renew(of('one', 1))
    world.at += 60_000
    all.tick()
    expect(lines).toContainEqual(expect.stringContaining('waits anew'))
    await pass(4_400)
    expect(all.status()[0]).toMatchObject({ state: 'held' })
    await pass(100)
    expect(all.status()[0]).toMatchObject({ state: 'guarding' })
  })
})
