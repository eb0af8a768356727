import { encodeJson } from '../../base/codec.ts'
import type { Ms } from '../../base/time.ts'
import type { Amounts } from '../../base/money/asset.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { ChainFill } from './chain-reading.ts'
import { type OpenOrder, openOrderFrom, type Reservation } from './open-order.ts'
import type { Hex } from './rfq-order.ts'
import type { RfqSettings } from './rfq-settings.ts'

/** A fill that was booked and whose block is not final yet. */
export type RecentOrderFill = { readonly fill: ChainFill; readonly mid: Rate | null }

/** The latest reading of the chain. */
export type SeenChain = {
  readonly head: { readonly number: bigint; readonly hash: Hex; readonly t: Ms }
  /** When the answer came, on our clock. */
  readonly readAt: Ms
  readonly balances: Partial<Amounts>
  readonly allowances: Partial<Amounts>
  readonly gasPriceWei: bigint
}

/** Open orders and their state on chain. Plain data; only functions of this room change it, in place. */
export type RfqState = {
  /** Chain, exchange, wallet and tokens of this state; null before the first reading was requested. */
  wallet: string | null
  /** The salt of the youngest order; 0 before the first. */
  lastSalt: bigint
  /** The open orders by salt, until their end is final. */
  openOrders: Record<string, OpenOrder>
  /** Booked fills of blocks that are not final, oldest first. */
  recentFills: RecentOrderFill[]
  /** The first block whose fills are not final; null before the first reading. */
  fillsFrom: bigint | null
  chain: SeenChain | null
  /** Transactions of the last fills booked from the chain, so a row of the venue does not book one again. */
  bookedTransactions: string[]
  counts: {
    signed: number
    fills: number
    rejected: number
    cancelled: number
    expired: number
    void: number
  }
}

export function createRfqState(): RfqState {
  return {
    wallet: null,
    lastSalt: 0n,
    openOrders: {},
    recentFills: [],
    fillsFrom: null,
    chain: null,
    bookedTransactions: [],
    counts: { signed: 0, fills: 0, rejected: 0, cancelled: 0, expired: 0, void: 0 },
  }
}

const KEPT_TRANSACTIONS = 2_000

/** Adds an order that was decided: its tokens are committed from now on. */
export function addOrder(state: RfqState, open: OpenOrder): void {
  const { salt } = open.order
  state.openOrders[salt.toString()] = open
  if (salt > state.lastSalt) state.lastSalt = salt
}

/**
 * Replaces the order that this code decided by the journalled one, which is about to be signed: after a restart with another
 * strategy the two may differ, and the journalled one was signed.
 */
export function startPlacing(state: RfqState, reservation: Reservation, now: Ms): OpenOrder {
  const { order } = reservation
  const decided = state.openOrders[order.salt.toString()]
  const isSame = decided !== undefined && encodeJson(decided.order) === encodeJson(order)
  const open = isSame ? decided : openOrderFrom(reservation, now)
  open.phase = 'placing'
  addOrder(state, open)
  return open
}

/** The venue accepted the order. */
export function recordAccepted(state: RfqState, salt: bigint, hash: Hex): void {
  state.counts.signed += 1
  const open = state.openOrders[salt.toString()]
  if (open === undefined) return
  open.phase = 'open'
  open.hash = hash
}

type Rejection = {
  /** The step that failed: signing the order or submitting it. */
  readonly stage: 'sign' | 'submit'
  readonly phase: 'unknown' | 'refused'
  /** Null = not known, or not signed. */
  readonly hash: Hex | null
}

/** The order was not accepted. It stays open unless `removeVoid` follows. */
export function recordRejected(state: RfqState, salt: bigint, { stage, phase, hash }: Rejection): void {
  if (stage === 'submit') state.counts.signed += 1
  state.counts.rejected += 1
  const open = state.openOrders[salt.toString()]
  if (open === undefined) return
  open.phase = phase
  open.hash = hash ?? open.hash
}

/** Removes an order that certainly has no signature. False = it is not open. */
export function removeVoid(state: RfqState, salt: bigint): boolean {
  if (state.openOrders[salt.toString()] === undefined) return false
  delete state.openOrders[salt.toString()]
  state.counts.void += 1
  return true
}

/** The cancellation of these orders is in the network. */
export function recordCancelSent(state: RfqState, salts: readonly bigint[], txHash: Hex): void {
  for (const salt of salts) {
    const open = state.openOrders[salt.toString()]
    if (open?.cancel) open.cancel.txHash = txHash
  }
}

/** The cancellation of these orders was not sent, or had no effect: they can be cancelled again. */
export function recordCancelFailed(state: RfqState, salts: readonly bigint[]): void {
  for (const salt of salts) {
    const open = state.openOrders[salt.toString()]
    if (open !== undefined) open.cancel = null
  }
}

/** Records a fill as booked at that mid. Fills in tokens that the settings do not name do not count. */
export function recordBookedFill(state: RfqState, recent: RecentOrderFill, isCounted: boolean): void {
  if (isCounted) state.counts.fills += 1
  state.recentFills.push(recent)
  state.bookedTransactions.push(recent.fill.txHash)
  if (state.bookedTransactions.length > KEPT_TRANSACTIONS) state.bookedTransactions.shift()
}

/** Treats the next reading as the first: fills up to it are in the opening balances. */
export function startFillsAtNextReading(state: RfqState): void {
  state.fillsFrom = null
}

/** After a restart: an order that was being signed or sent may exist; one that was only decided was never signed. */
export function resumeOrders({ openOrders }: RfqState): void {
  for (const [salt, open] of Object.entries(openOrders)) {
    if (open.phase === 'reserving') delete openOrders[salt]
    if (open.phase === 'placing') open.phase = 'unknown'
    if (open.cancel?.txHash === null) open.cancel = null
  }
}

/**
 * Binds the state to the wallet, exchange and tokens of the settings. If they changed, the chain is read afresh once no order of
 * the former ones is open. Returns false while such orders are open.
 */
export function bindWallet(state: RfqState, settings: RfqSettings): boolean {
  const wallet = walletOf(settings)
  if (state.wallet === wallet) return true
  if (isOfOtherWallet(state, settings)) return false
  const isFirst = state.wallet === null
  state.wallet = wallet
  if (!isFirst) Object.assign(state, { chain: null, fillsFrom: null, recentFills: [] })
  return true
}

/** Returns whether orders are open that these settings can neither read nor cancel. */
export function isOfOtherWallet({ wallet, openOrders }: RfqState, settings: RfqSettings): boolean {
  return wallet !== null && wallet !== walletOf(settings) && Object.keys(openOrders).length > 0
}

function walletOf({ chainId, exchange, maker, tokens }: RfqSettings): string {
  return [chainId, exchange, maker, ...Object.entries(tokens).flat().toSorted()].join(' ')
}
