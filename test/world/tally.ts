/** What a world has seen, so that a simulation in which nothing happens is found out. */
export type Tally = {
  events: number
  fills: number
  patches: number
  activations: number
  withdrawals: number
  crashes: number
  commands: number
  reloads: number
  dashboard: number
  mischief: number
  lies: number
  clockJumps: number
  failures: number
  gaps: number
  foreignHands: number
  halts: number
  feeModels: number
  readingsProven: number
  lateRows: number
  venueFills: number
}

export function createTally(): Tally {
  return {
    events: 0,
    fills: 0,
    patches: 0,
    activations: 0,
    withdrawals: 0,
    crashes: 0,
    commands: 0,
    reloads: 0,
    dashboard: 0,
    mischief: 0,
    lies: 0,
    clockJumps: 0,
    failures: 0,
    gaps: 0,
    foreignHands: 0,
    halts: 0,
    feeModels: 0,
    readingsProven: 0,
    lateRows: 0,
    venueFills: 0,
  }
}
