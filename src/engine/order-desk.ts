import type { OrderDesk } from './engine-state.ts'

/** Nothing is known of solver and clocks, nobody was asked. */
export function createOrderDesk(): OrderDesk {
  return {
    solver: null,
    solverProblem: null,
    solverChanged: null,
    notInCustody: null,
    infoAskedAt: 0,
    readAskedAt: 0,
    notBefore: 0,
    notBeforeWhy: '',
    cancelNotBefore: 0,
    venueOffsetMs: null,
    doomed: [],
    blocked: null,
    isOverPromised: false,
    heldRows: [],
    mismatched: [],
  }
}
