import { HOUR_MS, type Ms } from '../../../base/time.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import type { Side } from '../../../base/money/side.ts'
import type { ChainReading, Outflow } from '../../rfq/chain-reading.ts'
import { type ForeignWrite, latchForeignWrite } from '../../risk/latch.ts'
import type { EngineState, OwnWrites } from '../model/state.ts'
import type { AccountEvent, WalletTransfersEvent } from '../model/event.ts'
import type { Transition } from '../transition.ts'
import type { QuotedSpread } from '../../quoting/quote-state.ts'
import { dropActivationRequest } from '../model/activation-state.ts'
import { areWritesBarred } from '../model/guard-state.ts'
import { recordOutflow } from '../model/order-state.ts'
import { isWithdrawalTransfer } from '../model/withdrawal-state.ts'

const NOBODY =
  'and nothing that this key sent within the hour did it: someone else has the key or the dashboard, or the venue acts by itself'

/** The account says inactive while this process knew the position to be active. */
export function checkDeactivation(transition: Transition, { isActive }: AccountEvent): void {
  const { state } = transition
  const { activation } = state
  // Without the lease a deactivation may be the guard's, which tells of it when it grants again.
  if (isActive || areWritesBarred(state) || mayDeactivateLate(state)) return
  if (activation.isActive === true) {
    foreignDeactivation(transition)
  } else if (activation.held === 'pool' && activation.isActive === null && activation.failures === 0) {
    tellAtStart(transition, `the position is inactive that was active when the last process ended, ${NOBODY}`)
  }
}

/** Someone else deactivated the position. */
export function foreignDeactivation(transition: Transition): void {
  // An earlier command to activate does not revert it: an operator who wants that repeats the command.
  dropActivationRequest(transition.state.activation)
  tellForeign(transition, 'deactivation', `the position was deactivated, ${NOBODY}`)
}

/** A side was read back, and neither what was confirmed nor anything sent within the hour has that spread. */
export function checkSpread(transition: Transition, side: Side, bps: number): void {
  const { state } = transition
  const { confirmed, status, confirmedAt } = state.quoting
  if (areWritesBarred(state)) return
  if (confirmed === null || state.config.mode === 'dry-run' || isOwnSpread(state, side, bps)) return
  const was = side === 'bid' ? confirmed.bidBps : confirmed.askBps
  const words = `the venue quotes ${bps} bps on the ${side} where ${was} were confirmed, ${NOBODY}`
  if ((confirmedAt ?? 0) < state.processStartedAt) tellAtStart(transition, words)
  else if (status === 'confirmed') tellForeign(transition, 'spread', words)
}

/** An activation is refused because the capital is in self-custody, which the configuration does not want. */
export function checkCustody(transition: Transition): void {
  const { activation, config } = transition.state
  if (config.rfq !== null) return
  const words = `the venue has self-custody on for this key, ${NOBODY}`
  if (activation.seenActive === true) tellForeign(transition, 'custody', words)
}

/**
 * What left the wallet by the chain's own word: a fill of an order, a withdrawal that was asked for here, or
 * someone else's transfer.
 */
export function checkOutflows(transition: Transition, { outflows = [], fills }: ChainReading): void {
  const { state } = transition
  for (const outflow of outflows) {
    const { txHash } = outflow
    const isFill =
      fills.some((fill) => fill.txHash === txHash) || state.rfq.bookedTransactions.includes(txHash)
    // What left before the first reading of this process may be of any age.
    if (!isFill) judgeOutflow(transition, outflow, !state.received.balances)
  }
}

/** The same for the wallet of pooled capital, which the shell watches where `chain` is configured. */
export function handleWalletTransfers(
  transition: Transition,
  { outflows, isFromBefore }: WalletTransfersEvent,
): void {
  if (transition.state.config.rfq !== null) return
  for (const outflow of outflows) judgeOutflow(transition, outflow, isFromBefore)
}

function judgeOutflow(transition: Transition, outflow: Outflow, isFromBefore: boolean): void {
  const { state, now } = transition
  const { key, asset, amount, to, txHash } = outflow
  if (isWithdrawalTransfer(state.withdrawals, outflow, now) || !recordOutflow(state.orders, key)) return
  const words = `transaction ${txHash} took ${formatTokens(amount, asset)} ${asset} from the wallet to ${to}, ${NOBODY}`
  if (isFromBefore) tellAtStart(transition, words)
  else tellForeign(transition, 'transfer', words)
}

/** The wallet of the account: pinned when it is first named. */
export function checkWallet(transition: Transition, { walletAddress }: AccountEvent): void {
  const { state } = transition
  if (walletAddress === null) return
  const named = walletAddress.toLowerCase()
  if (state.wallet === undefined) state.wallet = { pinned: named, named: null }
  else if (state.wallet.pinned !== named && state.wallet.named !== named) {
    state.wallet = { ...state.wallet, named }
    transition.requestDecision('timer')
  }
}

/** What leaves the pool now goes to a wallet that no one has vouched for: the daemon takes nothing out by itself. */
export function isWalletStrange({ wallet }: EngineState): boolean {
  return (wallet?.named ?? null) !== null
}

/** A person has seen which wallet the account names now. */
export function acceptWallet({ state }: Transition): void {
  const named = state.wallet?.named ?? null
  if (named !== null) state.wallet = { pinned: named, named: null }
}

function tellForeign(transition: Transition, what: ForeignWrite, why: string): void {
  const { state, now, alert } = transition
  if (state.config.risk.foreignWrites !== 'latch') return
  // The first of them tells; the next ones belong to it until a person has looked. Money that leaves is notified each time.
  if (state.latch.foreign && what !== 'transfer') return
  latchForeignWrite(state.latch, what, why, now)
  alert('foreign-write', why)
  transition.requestDecision('timer')
}

/** Found at a start, it may be of any age and anybody's: people learn of it, and the start continues. */
function tellAtStart({ state, alert }: Transition, message: string): void {
  if (state.config.risk.foreignWrites !== 'latch') return
  alert('foreign-write-at-start', message)
}

const KEPT_MS = HOUR_MS

/** Begun where none exist. */
function ownWrites(state: EngineState): OwnWrites {
  return (state.ownWrites ??= { spreads: { bid: {}, ask: {} }, deactivations: {} })
}

export function noteOwnSpread(
  state: EngineState,
  { bidBps, askBps }: Pick<QuotedSpread, 'bidBps' | 'askBps'>,
): void {
  const { spreads } = ownWrites(state)
  note(spreads.bid, bidBps, state.now)
  note(spreads.ask, askBps, state.now)
}

export function noteOwnDeactivation(state: EngineState, request: number): void {
  note(ownWrites(state).deactivations, request, state.now)
}

/** It was answered, or certainly did not happen: nothing of it comes later. */
export function settleOwnDeactivation({ ownWrites: own }: EngineState, request: number): void {
  if (own !== undefined) delete own.deactivations[request]
}

/** Whether a spread that stands on a side can be ours: sent within the hour, confirmed last, or the safe quote. */
function isOwnSpread(
  { ownWrites: own, quoting, config, now }: EngineState,
  side: Side,
  bps: number,
): boolean {
  const { confirmed } = quoting
  if (bps === config.quote.safeBps) return true
  if (confirmed !== null && bps === (side === 'bid' ? confirmed.bidBps : confirmed.askBps)) return true
  const at = own?.spreads[side][bps]
  return at !== undefined && now - at <= KEPT_MS
}

/** Whether a deactivation of ours may still take effect. */
function mayDeactivateLate({ ownWrites: own, now }: EngineState): boolean {
  return Object.values(own?.deactivations ?? {}).some((at) => now - at <= KEPT_MS)
}

/** Readers leave out what is older than an hour; it is dropped where the list would grow, and not at every write. */
function note(times: Record<string, Ms>, key: number, now: Ms): void {
  if (times[key] === undefined) {
    for (const old in times) if (now - times[old]! > KEPT_MS) delete times[old]
  }
  times[key] = now
}
