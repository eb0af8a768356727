import { expect, test } from 'vitest'
import { type KeptCampaigns, livedWorld, withCampaign } from '../../../scripts/kept-campaigns.ts'

type Summary = Parameters<typeof withCampaign>[1]

const NONE: KeptCampaigns = {
  parts: [],
  fuzz: { planned: 0, answers: 0, failed: 0, seen: {} },
  canaries: [],
  failures: [],
}

function ofCommit(commit: string, days: number) {
  return { commit, node: '24', days, failed: 0, answers: 0, planted: 44, missed: 0 }
}

/** A campaign that lived days of the pool from this seed on. */
function campaign(firstSeed: number, days: number, change: Partial<Summary> = {}): Summary {
  const pool = {
    name: 'pool',
    days,
    failed: 0,
    firstSeed,
    lastSeed: firstSeed + days - 1,
    cpuMs: 900 * days,
    faults: { leak: { times: 2 * days, days } },
    seen: { fills: 10 * days, 'longest silence': days },
  }
  return {
    version: '0.2.0',
    commit: `c${firstSeed}`,
    node: '24',
    commits: [ofCommit(`c${firstSeed}`, days)],
    days,
    firstSeed,
    lived: days,
    failed: 0,
    worlds: [pool],
    fuzz: NONE.fuzz,
    canaries: [],
    failures: [],
    ...change,
  }
}

test('days of other seeds are kept beside those that were kept, each campaign with its commit', () => {
  const kept = withCampaign(withCampaign(NONE, campaign(1, 100)), campaign(101, 50))
  expect(kept.parts.flatMap(({ commits }) => commits.map(({ commit, days }) => [commit, days]))).toEqual([
    ['c1', 100],
    ['c101', 50],
  ])
  expect(livedWorld(kept, 'pool')).toEqual({
    days: 150,
    failed: 0,
    cpuMsADay: 900,
    faults: { leak: { times: 300, days: 150 } },
    seen: { fills: 1_500, 'longest silence': 100 },
    seeds: [
      [1, 100],
      [101, 150],
    ],
  })
  expect(livedWorld(kept, 'guard')).toMatchObject({ days: 0, seeds: [] })
})

test('days whose seeds were lived before replace that campaign, so that no day is counted twice', () => {
  const failures = [{ world: 'pool', seed: 7, failure: 'a unit is gone' }]
  const before = withCampaign(
    withCampaign(NONE, campaign(1, 100, { failed: 1, failures })),
    campaign(201, 10),
  )
  const kept = withCampaign(before, campaign(100, 50))
  expect(kept.parts.flatMap(({ commits }) => commits.map(({ commit }) => commit))).toEqual(['c201', 'c100'])
  expect(livedWorld(kept, 'pool').days).toBe(60)
  // A failed day of a campaign that is replaced stays told until that very day has been lived again.
  expect(kept.failures).toEqual(failures)
  expect(withCampaign(kept, campaign(1, 99)).failures).toEqual([])
})

test('a campaign of kills alone leaves days and answers as they are, and one without answers the answers', () => {
  const fuzz = { planned: 1_000, answers: 1_000, failed: 0, seen: { rate: 1_000 } }
  const canaries = [{ world: 'pool', name: 'loses-a-unit', found: 3, why: null }]
  const before = withCampaign(NONE, campaign(1, 100, { fuzz, canaries }))
  const kills = { planned: 9, done: 9, failed: 0, byKind: {}, seen: {}, hours: 1, commit: 'k' }
  const after = withCampaign(before, campaign(1, 0, { kills }))
  expect(after).toEqual({ ...before, kills })
  const again = [{ world: 'pool', name: 'loses-a-unit', found: 1, why: null }]
  expect(withCampaign(after, campaign(101, 10, { canaries: again }))).toMatchObject({
    fuzz,
    kills,
    canaries: again,
  })
})
