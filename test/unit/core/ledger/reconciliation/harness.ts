import { dedupeFills } from '../../../../../src/core/ledger/fills/dedupe.ts'
import { createBook, type LedgerEntry, type Location } from '../../../../../src/core/ledger/book/book.ts'
import { postFill } from '../../../../../src/core/ledger/book/post-fill.ts'
import {
  applyAction,
  type ReconciliationAction,
} from '../../../../../src/core/ledger/reconciliation/actions.ts'
import {
  createReconciliation,
  type ReconciliationSettings,
} from '../../../../../src/core/ledger/reconciliation/state.ts'
import { settleFillsPoll, recordBalances } from '../../../../../src/core/ledger/reconciliation/reconcile.ts'
import {
  feeDebit,
  postedFill,
  type FeeModel,
  type PostedFill,
} from '../../../../../src/core/ledger/fills/fees.ts'
import type { Fill } from '../../../../../src/core/ledger/fills/fill.ts'
import type { Amounts, Asset } from '../../../../../src/base/money/asset.ts'

export const RATE = 10n ** 18n
export const NTZS = 10n ** 18n
export const USD = 10n ** 18n
export const MID = 2_500n * RATE
/** A fill without a fee, priced and valued at `MID`. */
export const AT_MID = { paidFee: 0n, venueMid: MID, fairValue: MID }

/** A fill of 10 USDC for 24,900 NTZS unless told otherwise. */
export function fillOf(id: string, over: Partial<Fill> = {}): Fill {
  return {
    id,
    side: 'ask',
    inAsset: 'USDC',
    amountIn: 10n * USD,
    outAsset: 'NTZS',
    amountOut: 24_900n * NTZS,
    fee: 25n * NTZS,
    earnedText: null,
    txHash: null,
    createdAt: null,
    raw: '{}',
    ...over,
  }
}

/** The engine's part around reconciliation, with a clock of its own that ticks once a call. */
export function openDesk(feeModel: FeeModel = 'from-position', dust = 0n, graceMs = 0) {
  const book = createBook()
  const state = createReconciliation(feeModel)
  const entries: LedgerEntry[] = []
  const settings: ReconciliationSettings = {
    confirmations: 2,
    graceMs,
    dustUnits: { NTZS: dust, USDC: dust, USDT: dust, 'USDT.bnb': dust },
  }
  const feeRates = [10]
  const unknownWithdrawals: { asset: Asset; amount: bigint }[] = []
  let clock = 1_000

  function carry(instructions: readonly ReconciliationAction[]): readonly ReconciliationAction[] {
    for (const instruction of instructions) {
      const posted = applyAction(book, clock, instruction, MID)
      if (posted !== null) entries.push(posted)
    }
    return instructions
  }

  return {
    book,
    state,
    entries,
    settings,
    unknownWithdrawals,
    feeRates,
    now: () => clock,
    tick: () => {
      clock += 1
      return clock
    },
    poll(rows: readonly Fill[], over: { repeated?: number; windowFull?: boolean; sentAt?: number } = {}) {
      const sentAt = over.sentAt ?? clock + 1
      clock += 2
      const admission = dedupeFills(state, rows)
      const posted: PostedFill[] = []
      for (const fill of admission.fresh) {
        const fee = fill.fee ?? 25n * NTZS
        entries.push(postFill(book, clock, fill, { ...AT_MID, paidFee: feeDebit(state.fees.model, fee) }))
        posted.push(postedFill(fill, fee))
      }
      const polled = {
        repeated: over.repeated ?? 0,
        windowFull: over.windowFull ?? false,
        deduped: admission,
      }
      const terms = {
        t: clock,
        sentAt,
        posted,
        accounts: book.accounts,
        settings,
        unknownWithdrawals,
        mids: [MID],
        feeRates,
        busy: false,
        isSweepUnclear: false,
      }
      return { admission, said: carry(settleFillsPoll(state, terms, polled)) }
    },
    balances(
      amounts: Partial<Amounts>,
      over: { source?: Location | null; isActive?: boolean | null; busy?: boolean; sentAt?: number } = {},
    ) {
      const sentAt = over.sentAt ?? clock + 1
      clock += 2
      return carry(
        recordBalances(state, {
          t: clock,
          sentAt,
          amounts,
          source: over.source === undefined ? 'pool' : over.source,
          isActive: over.isActive === undefined ? true : over.isActive,
          busy: over.busy ?? false,
          accounts: book.accounts,
        }),
      )
    },
    /** As many quiet readings as make a difference a break where the grace is nothing. */
    persistently(amounts: Partial<Amounts>) {
      this.quietly(amounts)
      this.quietly(amounts)
      return this.quietly(amounts)
    },
    /** Poll, balances, poll: a reading in quiet times. */
    quietly(amounts: Partial<Amounts>) {
      this.poll([])
      this.balances(amounts)
      return this.poll([]).said
    },
  }
}

export const OPENING: Partial<Amounts> = { NTZS: 1_000_000n * NTZS, USDC: 400n * USD }

/** A desk that has opened with `OPENING` in its pool. */
export function runningDesk(feeModel: FeeModel = 'from-position', dust = 0n, graceMs = 0) {
  const desk = openDesk(feeModel, dust, graceMs)
  desk.quietly(OPENING)
  return desk
}

export const A = fillOf('a')
export const B = fillOf('b', { amountIn: 20n * USD, amountOut: 49_800n * NTZS, fee: 50n * NTZS })

/** What the venue's pool holds after these fills, and a difference. */
export function venueAfter(fills: readonly Fill[], ntzs = 0n, usdc = 0n): Partial<Amounts> {
  let [shillings, dollars] = [1_000_000n * NTZS + ntzs, 400n * USD + usdc]
  for (const fill of fills) {
    dollars += fill.amountIn
    shillings -= fill.amountOut + (fill.fee ?? 25n * NTZS)
  }
  return { NTZS: shillings, USDC: dollars }
}

/** What was reported about the state. */
export const states = (said: readonly ReconciliationAction[]) => said.filter((one) => one.do === 'setStatus')
/** What was asked for. */
export const asks = (said: readonly ReconciliationAction[]) =>
  said.flatMap((one) => (one.do === 'poll' ? [one.what] : []))
