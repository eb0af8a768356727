import { describe, expect, test } from 'vitest'
import { expectedWorld, recordedSeeds, worldJournal, type Release } from './open-recording.ts'
import { replayFacts } from './replay-facts.ts'

const RECORDINGS = (['0.1.0', '0.2.0-before'] satisfies Release[]).flatMap((release) =>
  recordedSeeds(release).map((seed) => ({ release, seed })),
)

describe('the journals of simulated worlds', () => {
  test('are there for both releases', () => {
    expect(RECORDINGS.map(({ release, seed }) => `${release} ${seed}`)).toEqual([
      '0.1.0 12',
      '0.1.0 2',
      '0.1.0 21',
      '0.1.0 7',
      '0.2.0-before 18',
      '0.2.0-before 2',
      '0.2.0-before 21',
      '0.2.0-before 23',
    ])
  })

  test.each(RECORDINGS)(
    'of $release with seed $seed replay to equal fills, balances and PnL',
    ({ release, seed }) => {
      const expected = expectedWorld(release, seed)
      const replay = replayFacts({ snapshot: null, tail: worldJournal(release, seed) })
      expect(replay.fills).toEqual(expected.fills)
      expect(replay.facts).toEqual(expected.facts)
      if (release === '0.2.0-before') expect(replay.checkpoints).toEqual(expected.checkpoints)
    },
  )
})
