import { describe, expect, test } from 'vitest'
import { createCalendar } from '../../src/daemon/runtime/position/calendar.ts'
import { recover } from '../../src/daemon/runtime/position/recover-position.ts'
import { EXPORT_KINDS } from '../../src/store/export/kinds.ts'
import { worldStrategy } from '../support/world-strategies.ts'
import { comparable, copyStore, expectedStore, readStore, type Release } from './open-recording.ts'
import { positionFacts } from './position-facts.ts'
import { replayFacts, type Replay } from './replay-facts.ts'
import { treasuryFacts } from './treasury-facts.ts'
import { openHere } from '../unit/store/store-fixture.ts'

const RELEASES: readonly Release[] = ['0.1.0', '0.2.0-before', '0.3.0-before']
const POSITIONS = [
  { name: 'pooled', capital: 'pooled capital' },
  { name: 'custody', capital: 'capital in self-custody' },
] as const
const STORES = RELEASES.flatMap((release) => POSITIONS.map((position) => ({ release, ...position })))

const wholeJournal = (folder: string): Replay =>
  readStore(folder, (reader) =>
    replayFacts({ snapshot: null, tail: reader.journal(1), suspensions: reader.suspensions() }),
  )

describe.each(STORES)('a store of $release with $capital', ({ release, name }) => {
  test('opens with equal fills, balances, PnL, open orders and trading state to the last unit, replayed from its first event', () => {
    const expected = expectedStore(release, name)
    const replay = wholeJournal(copyStore(release, name))
    expect(replay.seq).toBe(expected.lastSeq)
    expect(replay.fills).toEqual(expected.fills)
    expect(comparable(release, replay.facts)).toEqual(comparable(release, expected.facts))
  })

  test('opens with equal balances, PnL, open orders and trading state from its snapshot and the events after it', () => {
    const expected = expectedStore(release, name)
    const replay = readStore(copyStore(release, name), (reader) => {
      const snapshot = reader.latestSnapshot()
      expect(snapshot?.seq).toBe(expected.snapshotSeq)
      return replayFacts({
        snapshot,
        tail: reader.journal(expected.snapshotSeq + 1),
        suspensions: reader.suspensions(),
      })
    })
    expect(replay.seq).toBe(expected.lastSeq)
    expect(comparable(release, replay.facts)).toEqual(comparable(release, expected.facts))
  })

  test('is migrated by a start, which recovers the same position, and the tables exported before are the tables exported after', async () => {
    const expected = expectedStore(release, name)
    const folder = copyStore(release, name)
    const opened = await openHere(folder)
    if (!opened.ok) throw new Error(opened.error.message)
    const store = opened.value
    const { engine, seq } = recover({
      ...store.recover(),
      strategyFor: worldStrategy,
      calendar: createCalendar(),
      onAudit: (record, audit) => store.project(record.seq, audit.observations),
    })
    const state = engine.state()
    await store.close()
    expect(seq).toBe(expected.lastSeq)
    expect(comparable(release, state === null ? null : positionFacts(state))).toEqual(
      comparable(release, expected.facts),
    )
    const tables = Object.fromEntries(
      EXPORT_KINDS.map((kind) => [kind, readStore(folder, (reader) => [...reader.rows(kind)])]),
    )
    expect(tables).toMatchObject(expected.tables)
  })
})

test.each(STORES.filter(({ release }) => release !== '0.1.0'))(
  'the journal of a store of $release with $capital replays to the same decisions, event by event',
  ({ release, name }) => {
    const expected = expectedStore(release, name)
    const replay = wholeJournal(copyStore(release, name))
    expect(replay.lines.map(({ decided }) => decided)).toEqual(expected.decided)
    expect(replay.checkpoints).toEqual(expected.checkpoints)
  },
)

test('the journal of a treasury with a refill and two payouts folds to the same intents, books and effects', () => {
  const { treasury } = expectedStore('0.3.0-before', 'treasury')
  const folder = copyStore('0.3.0-before', 'treasury')
  expect(readStore(folder, (reader) => treasuryFacts(reader.treasury()))).toEqual(treasury)
  expect(treasury).toMatchObject({ intents: { length: 3 } })
})

test.each(POSITIONS)(
  'the snapshot of a store of 0.3.0-before with $capital is what its journal folds to up to there, the quote included',
  ({ name }) => {
    const [snapshot, fold] = readStore(copyStore('0.3.0-before', name), (reader) => {
      const kept = reader.latestSnapshot()!
      const tail = [...reader.journal(1)].filter(({ seq }) => seq <= kept.seq)
      return [replayFacts({ snapshot: kept, tail: [] }), replayFacts({ snapshot: null, tail })]
    })
    expect(snapshot.facts).toEqual(fold.facts)
  },
)
