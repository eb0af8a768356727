import type { Ms } from '../../../../src/base/time.ts'
import type { Canary } from '../../fault-world.ts'

/** Bugs of a daemon or of the database, in the place of the product's own ones. */
export type HandOverBug = {
  /** The gate of a holder stays open after its lease. */
  readonly writesAlways?: boolean
  readonly waitMs?: Ms
  readonly appendsUnderAnyNumber?: boolean
  /** A daemon that loses its journal ends without the safe quote. */
  readonly leavesQuote?: boolean
  /** A restart performs what its journal says was sent. */
  readonly sendsAgain?: boolean
  /** Each holder takes the fills of the one before for others. */
  readonly renamesFills?: boolean
  readonly neverLetsGo?: boolean
  /** A daemon whose position nobody takes ends all the same. */
  readonly forgetsTheQuote?: boolean
}

export const HANDOVER_CANARIES: readonly (Canary & { readonly bug: HandOverBug })[] = [
  {
    name: 'writes-on',
    does: 'lets a daemon write on after its lease',
    finds: /two may write at once/,
    needs: ['daemon paused'],
    bug: { writesAlways: true },
  },
  {
    name: 'takes-too-soon',
    does: 'lets a candidate wait for less than the deadline of the holder',
    finds: /two may write at once|has not ended/,
    needs: ['holder cut off from the database'],
    bug: { waitMs: 1_000 },
  },
  {
    name: 'appends-under-any-number',
    does: 'has the database compare no number at an append',
    finds: /events are journalled under/,
    needs: ['daemon paused', 'holder cut off from the database'],
    bug: { appendsUnderAnyNumber: true },
  },
  {
    name: 'leaves-the-quote',
    does: 'ends a daemon that loses its journal without the safe quote',
    finds: /has not sent the safe quote/,
    needs: ['holder cut off from the database'],
    bug: { leavesQuote: true },
  },
  {
    name: 'sends-again',
    does: 'has who takes over perform what its journal names as sent',
    finds: /was sent again/,
    needs: ['daemon killed', 'withdrawal'],
    bug: { sendsAgain: true },
  },
  {
    name: 'books-again',
    does: 'has each holder take the fills that the one before has booked for new ones',
    finds: /fill|break|in the end the ledger/,
    needs: ['daemon killed'],
    bug: { renamesFills: true },
  },
  {
    name: 'never-takes',
    does: 'has a candidate wait without a limit',
    finds: /after kill -9/,
    needs: [],
    bug: { waitMs: 10 ** 9 },
  },
  {
    name: 'never-lets-go',
    does: 'has a daemon leave without letting go of the position',
    finds: /after SIGTERM/,
    from: 4,
    needs: [],
    bug: { neverLetsGo: true },
  },
  {
    name: 'forgets-the-quote',
    does: 'ends a daemon that has let go of a position which nobody takes, with its quote as it stands',
    finds: /nobody has taken the position/,
    needs: ['all SIGTERM'],
    bug: { forgetsTheQuote: true },
  },
]
