import type {
  ChallengerView,
  ComparedView,
  ShadowRunView,
} from '../../../../src/daemon/view/challenger-view.ts'

const DAY_MS = 86_400_000

export function exampleRun(changes: Partial<ShadowRunView> = {}): ShadowRunView {
  return {
    fills: 3_418,
    syntheticFills: 245,
    quoteUpdates: 1_539,
    quote: { at: 1_000, bidBps: 61, askBps: null },
    turnoverUsd: 1_379_188.6,
    edgeUsd: 7_986.34,
    edgeBps: 57.9,
    markoutBps: 57.7,
    lessHoldingUsd: 7_998.98,
    held: { NTZS: '51669293.9', USDC: '9740.619329', USDT: '9653.902145' },
    digest: 'f46f58430b049d58d035df3ef097150a086d44509e7c3e3872d8686e0901503b',
    ...changes,
  }
}

/** A week over which the challenger earned a little less. */
export function exampleCompared(now: number, changes: Partial<ComparedView> = {}): ComparedView {
  const challenger = exampleRun({
    edgeUsd: 7_841.74,
    edgeBps: 59.9,
    lessHoldingUsd: 7_740.44,
    quoteUpdates: 1,
  })
  return {
    from: now - 7 * DAY_MS,
    to: now,
    champion: exampleRun(),
    challenger,
    difference: { days: 7, meanUsd: -36.93, seUsd: 31.75, p: 0.29 },
    days: [{ to: now, championUsd: 1_381.37, challengerUsd: 1_469.5 }],
    warnings: [],
    ...changes,
  }
}

export function exampleChallenger(now: number, changes: Partial<ChallengerView> = {}): ChallengerView {
  return {
    use: 'fixed-spread',
    params: { bidBps: 60, askBps: 60 },
    fingerprint: 'a'.repeat(64),
    since: now - 7 * DAY_MS,
    at: now - 1_800_000,
    compared: exampleCompared(now),
    suspended: null,
    problem: null,
    ...changes,
  }
}
