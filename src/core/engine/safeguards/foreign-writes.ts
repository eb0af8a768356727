import { HOUR_MS, type Ms } from '../../../base/time.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import type { Side } from '../../../base/money/side.ts'
import type { ChainReading, Outflow } from '../../rfq/chain-reading.ts'
import { type ForeignWrite, latchForeignWrite } from '../../risk/latch.ts'
import type { EngineState } from '../model/state.ts'
import type { AccountEvent, WalletTransfersEvent } from '../model/event.ts'
import { reportSharedKey } from '../requests/key-access.ts'
import type { Transition } from '../transition.ts'
import type { QuotedSpread } from '../../quoting/quote-state.ts'
import { dropActivationRequest } from '../model/activation-state.ts'
import { areWritesBarred } from '../model/guard-state.ts'
import { recordOutflow } from '../model/order-state.ts'
import { isWithdrawalTransfer } from '../model/withdrawal-state.ts'

const NOBODY =
  'and no request of this key within the last hour explains it: someone else has the key or the dashboard, or the venue acted on its own'

/** Detects that someone else deactivated the position: the account is inactive although this process saw it active. */
export function checkDeactivation(transition: Transition, { isActive }: AccountEvent): void {
  const { state } = transition
  const { activation } = state
  // Without the lease the deactivation may be the guard's, which reports it with the next grant.
  if (isActive || areWritesBarred(state) || mayDeactivateLate(state)) return
  if (activation.isActive === true) {
    foreignDeactivation(transition)
  } else if (activation.held === 'pool' && activation.isActive === null && activation.failures === 0) {
    alertAtStart(
      transition,
      `the position is inactive, although it was active when the last process ended, ${NOBODY}`,
    )
  }
}

/** Someone else deactivated the position. */
export function foreignDeactivation(transition: Transition): void {
  // An earlier command to activate does not revert it: an operator who wants that repeats the command.
  dropActivationRequest(transition.state.activation)
  alertForeignWrite(transition, 'deactivation', `the position was deactivated, ${NOBODY}`)
}

/** Detects that someone else set a spread: it is neither the confirmed one nor one that was sent within the hour. */
export function checkSpread(transition: Transition, side: Side, bps: number): void {
  const { state } = transition
  const { confirmed, status, confirmedAt } = state.quoting
  if (areWritesBarred(state)) return
  if (confirmed === null || state.config.mode === 'dry-run' || isOwnSpread(state, side, bps)) return
  const was = side === 'bid' ? confirmed.bidBps : confirmed.askBps
  const words = `the venue quotes ${bps} bps on the ${side}, but ${was} were confirmed, ${NOBODY}`
  if ((confirmedAt ?? 0) < state.processStartedAt) alertAtStart(transition, words)
  else if (status === 'confirmed') alertForeignWrite(transition, 'spread', words)
}

/** Detects that someone else turned self-custody on: an activation is refused for it, against the configuration. */
export function checkCustody(transition: Transition): void {
  const { activation, config } = transition.state
  if (config.rfq !== null) return
  const words = `the venue has self-custody on for this key, ${NOBODY}`
  if (activation.seenActive) alertForeignWrite(transition, 'custody', words)
}

/** Detects transfers out of the wallet that are neither a fill of an order nor a withdrawal of ours. */
export function checkOutflows(transition: Transition, { outflows = [], fills }: ChainReading): void {
  const { state } = transition
  for (const outflow of outflows) {
    const { txHash } = outflow
    const isFill =
      fills.some((fill) => fill.txHash === txHash) || state.rfq.bookedTransactions.includes(txHash)
    // A transfer before the first reading of this process may have any age.
    if (!isFill) assessOutflow(transition, outflow, !state.received.balances)
  }
}

/** Detects the same for the wallet of pooled capital, which the shell watches if `chain` is configured. */
export function handleWalletTransfers(
  transition: Transition,
  { outflows, isFromBefore }: WalletTransfersEvent,
): void {
  if (transition.state.config.rfq !== null) return
  for (const outflow of outflows) assessOutflow(transition, outflow, isFromBefore)
}

function assessOutflow(transition: Transition, outflow: Outflow, isFromBefore: boolean): void {
  const { state, now } = transition
  const { key, asset, amount, to, txHash } = outflow
  if (isWithdrawalTransfer(state.withdrawals, outflow, now) || !recordOutflow(state.orders, key)) return
  const words = `transaction ${txHash} took ${formatTokens(amount, asset)} ${asset} from the wallet to ${to}, ${NOBODY}`
  if (isFromBefore) alertAtStart(transition, words)
  else alertForeignWrite(transition, 'transfer', words)
}

/** Compares the wallet that the account names with the pinned one, which is the first it named. */
export function checkWallet(transition: Transition, { walletAddress }: AccountEvent): void {
  const { state } = transition
  if (walletAddress === null) return
  const named = walletAddress.toLowerCase()
  if (state.wallet === null) state.wallet = { pinned: named, named: null }
  else if (state.wallet.pinned !== named && state.wallet.named !== named) {
    state.wallet = { ...state.wallet, named }
    transition.requestDecision('timer')
  }
}

/**
 * Returns whether tokens from the pool would go to a wallet that no operator has confirmed; the daemon then does not
 * deactivate.
 */
export function isWalletStrange({ wallet }: EngineState): boolean {
  return (wallet?.named ?? null) !== null
}

/** An operator confirmed the wallet that the account names now. */
export function acceptWallet({ state }: Transition): void {
  const named = state.wallet?.named ?? null
  if (named !== null) state.wallet = { pinned: named, named: null }
}

function alertForeignWrite(transition: Transition, what: ForeignWrite, why: string): void {
  const { state, now, alert } = transition
  if (state.config.risk.foreignWrites !== 'latch') return
  // Until an operator acknowledges it, only the first write of a kind alerts. Every outgoing transfer alerts.
  const since = state.latch.foreign[what]?.since
  if (!latchForeignWrite(state.latch, what, why, now) && what !== 'transfer') {
    // A person sets a spread once; a program sets it again after our write.
    if (what === 'spread' && since !== undefined && (state.quoting.confirmedAt ?? 0) > since)
      reportSharedKey(transition, `${why}; it was set again after this daemon had set the safe quote`)
    return
  }
  alert('foreign-write', why)
  transition.requestDecision('timer')
}

/** A foreign write that is found at a start may be old: it raises an alert, and the start continues. */
function alertAtStart({ state, alert }: Transition, message: string): void {
  if (state.config.risk.foreignWrites !== 'latch') return
  alert('foreign-write-at-start', message)
}

const KEPT_MS = HOUR_MS

export function recordOwnSpread(
  state: EngineState,
  { bidBps, askBps }: Pick<QuotedSpread, 'bidBps' | 'askBps'>,
): void {
  const { spreads } = state.ownWrites
  recordWrite(spreads.bid, bidBps, state.now)
  recordWrite(spreads.ask, askBps, state.now)
}

export function recordOwnDeactivation(state: EngineState, request: number): void {
  recordWrite(state.ownWrites.deactivations, request, state.now)
}

/** The deactivation was answered or certainly failed, so it cannot take effect later. */
export function settleOwnDeactivation({ ownWrites: own }: EngineState, request: number): void {
  delete own.deactivations[request]
}

/** Returns whether a live spread can be ours: sent within the hour, confirmed last, or the safe quote. */
function isOwnSpread(
  { ownWrites: own, quoting, config, now }: EngineState,
  side: Side,
  bps: number,
): boolean {
  const { confirmed } = quoting
  if (bps === config.quote.safeBps) return true
  if (confirmed !== null && bps === (side === 'bid' ? confirmed.bidBps : confirmed.askBps)) return true
  const at = own.spreads[side][bps]
  return at !== undefined && now - at <= KEPT_MS
}

/** Returns whether one of our deactivations may still take effect. */
function mayDeactivateLate({ ownWrites: own, now }: EngineState): boolean {
  return Object.values(own.deactivations).some((at) => now - at <= KEPT_MS)
}

/** Records a write. Entries older than an hour are ignored by readers, and removed only when the list grows. */
function recordWrite(times: Record<string, Ms>, key: number, now: Ms): void {
  if (times[key] === undefined) {
    for (const old in times) if (now - times[old]! > KEPT_MS) delete times[old]
  }
  times[key] = now
}
