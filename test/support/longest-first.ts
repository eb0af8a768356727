import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Every file that takes half a minute or more beside others on two cores, the longest first. */
const LONGEST = [
  'world/days-of-seeds-1-to-24.test.ts',
  'campaign/campaign.test.ts',
  'e2e/standby/standby.test.ts',
  'e2e/console/any-state.test.ts',
  'e2e/drills/drill.test.ts',
  'e2e/host/kill-many.test.ts',
  'e2e/chain/venue-demo.test.ts',
  'e2e/drills/shipped-desk.test.ts',
  'e2e/drills/self-custody-desk.test.ts',
  'e2e/custody.test.ts',
  'e2e/kill.test.ts',
  'e2e/guard/one-way.test.ts',
  'e2e/custody/lying-mid.test.ts',
  'e2e/custody/refusals.test.ts',
  'e2e/lying-venue/balances.test.ts',
  'unit/calibration/coverage.test.ts',
  'e2e/store/fail-over.test.ts',
  'e2e/border.test.ts',
  'e2e/custody/kill-self-custody.test.ts',
  'e2e/assistant/proposals.test.ts',
  'e2e/guard/guard.test.ts',
  'e2e/store/daemon-on-postgres.test.ts',
  'e2e/commands.test.ts',
  'e2e/sweep/queue.test.ts',
  'e2e/guard/lease-rows.test.ts',
  'e2e/fleet/alerts.test.ts',
  'e2e/strategies.test.ts',
  'e2e/alerts.test.ts',
  'e2e/guard/partition.test.ts',
  'e2e/campaign-queue.test.ts',
  'e2e/treasury/kill.test.ts',
  'e2e/image.test.ts',
  'e2e/guard/kills.test.ts',
  'e2e/open-alerts.test.ts',
  'e2e/fleet/fleet.test.ts',
  'e2e/challenger.test.ts',
  'unit/venue/flood.test.ts',
  'e2e/keys.test.ts',
  'e2e/daemon-here.test.ts',
].map((file) => `/test/${file}`)

/**
 * Starts the longest files first: one that starts as the last of a run is waited for by idle cores. Vitest's own order is
 * by size where it remembers no durations, as in a fresh clone.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const found = LONGEST.findIndex((file) => moduleId.endsWith(file))
  return found === -1 ? LONGEST.length : found
}
