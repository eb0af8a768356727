import type { Lane, PacingState, PollState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'

/** A budget that was never used: everything is demanded at once. Positions of different `seed` jitter apart. */
export function createPacing(settings: PacingSettings, seed = 0): PacingState {
  return {
    key: createLane(settings.requestsPerMinute),
    public: createLane(settings.publicRequestsPerMinute),
    unplanned: { times: [], head: 0 },
    quoteWrites: { times: [], head: 0 },
    polls: {
      quoteBid: createPoll(),
      quoteAsk: createPoll(),
      fills: createPoll(),
      rate: createPoll(),
      balances: createPoll(),
      account: createPoll(),
      publicBid: createPoll(),
      publicAsk: createPoll(),
    },
    fills: { perMs: 0, asOf: null },
    jitterCounter: seed,
  }
}

function createLane(limit: number): Lane {
  return { sent: { times: [], head: 0 }, limit, limitAt: 0, silentUntil: 0 }
}

function createPoll(): PollState {
  return { dueAt: 0, demanded: true, lastSentAt: null, inFlightSince: null, failures: 0, backOffUntil: 0 }
}
