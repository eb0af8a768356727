import type { Ms } from '../../../base/time.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import type { Hex } from '../../rfq/rfq-order.ts'

/** The solver, the chain and the venue's answers about orders as known to this process, and the times of its next requests. */
export type OrderState = {
  /** The solver; null = unknown, or the venue's answer contradicts the configuration. */
  solver: Hex | null
  /** Why the venue's answer cannot be used. */
  solverProblem: string | null
  /** Why the venue's solver contradicts the pinned one; null = they agree. */
  solverChanged: string | null
  /** 0 = never in this process. */
  infoAskedAt: Ms
  readAskedAt: Ms
  /**
   * The venue reports that the position is not in self-custody: no order is signed until a restart or `resume`; null = no such
   * report.
   */
  notInCustody: string | null
  /** The earliest time of the next order, and the reason. */
  notBefore: Ms
  notBeforeWhy: string
  /** Earliest time to retry a failed cancellation. */
  cancelNotBefore: Ms

  /** How far the venue's clock is ahead of ours; null = unknown. */
  venueOffsetMs: Ms | null
  /** Orders that an operator wants cancelled. */
  cancelRequested: bigint[]
  /** Why no order is placed; null = orders are placed. Kept so that a change is reported once. */
  blocked: string | null
  isOvercommitted: boolean
  /** Rows of GET /fills that may be fills of orders, until the chain shows it. */
  heldRows: { readonly fill: Fill; readonly seenAt: Ms }[]
  /** Orders whose filled amount in the last reading differs from the sum of their fills. */
  mismatched: readonly bigint[]
  /** Transfers out of the wallet that were reported as foreign. */
  toldOutflows: string[]
}

/** Returns the state before the first answer. */
export function createOrderState(): OrderState {
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
    cancelRequested: [],
    blocked: null,
    isOvercommitted: false,
    heldRows: [],
    mismatched: [],
    toldOutflows: [],
  }
}

/** Prepares the state for a new process: venue and chain are asked again, and commands of operators are kept. */
export function restartOrders(orders: OrderState): void {
  const { heldRows, cancelRequested, toldOutflows } = orders
  Object.assign(orders, createOrderState(), { heldRows, cancelRequested, toldOutflows })
}

/** Operators want these orders cancelled on chain at any cost. */
export function requestCancels(orders: OrderState, salts: readonly bigint[]): void {
  orders.cancelRequested = [...new Set([...orders.cancelRequested, ...salts])]
  orders.cancelNotBefore = 0
}

/** An operator has seen why nothing was signed. */
export function allowSigning(orders: OrderState): void {
  orders.notInCustody = null
}

/** Transfers whose alert is remembered. */
const MAX_REPORTED = 200

/** Returns whether this transfer out of the wallet is new: each is reported once. */
export function recordOutflow(orders: OrderState, key: string): boolean {
  const { toldOutflows: reported } = orders
  if (reported.includes(key)) return false
  reported.push(key)
  if (reported.length > MAX_REPORTED) reported.shift()
  return true
}

/** Holds a row of GET /fills until the chain shows whether it is the fill of an order. */
export function holdRow(orders: OrderState, fill: Fill, seenAt: Ms): void {
  orders.heldRows.push({ fill, seenAt })
}

/** Removes the rows that no longer wait. */
export function releaseRows(
  orders: OrderState,
  isReleased: (row: OrderState['heldRows'][number]) => boolean,
): Fill[] {
  const released = orders.heldRows.filter(isReleased)
  if (released.length > 0) orders.heldRows = orders.heldRows.filter((row) => !released.includes(row))
  return released.map(({ fill }) => fill)
}
