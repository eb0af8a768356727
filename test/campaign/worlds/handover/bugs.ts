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
  readonly sendsAgain?: 'everything' | 'activations'
  /** Every other write waits for so long behind the gate that has let it through. */
  readonly queuesMs?: Ms
  /** Who loses the position sends nothing more, and does not end. */
  readonly livesOn?: boolean
  readonly startsOnce?: boolean
  /** Each holder takes the fills of the one before for others. */
  readonly renamesFills?: boolean
  readonly neverLetsGo?: boolean
  /** A daemon whose position no one takes ends all the same. */
  readonly forgetsTheQuote?: boolean
}

export const HANDOVER_CANARIES: readonly (Canary & { readonly bug: HandOverBug })[] = [
  {
    name: 'writes-on',
    breaks: 'one-writer',
    does: 'lets a daemon continue to write after its lease',
    finds: /two may write at once/,
    needs: ['daemon paused'],
    bug: { writesAlways: true },
  },
  {
    name: 'takes-too-soon',
    breaks: 'one-writer',
    does: 'makes a candidate wait for less than the deadline of the holder',
    finds: /two may write at once|has not ended/,
    needs: ['holder cut off from the database'],
    bug: { waitMs: 1_000 },
  },
  {
    name: 'appends-under-any-number',
    breaks: 'journals-in-turn',
    does: 'makes the database append without a check of the number',
    finds: /events are journalled under/,
    needs: ['daemon paused', 'holder cut off from the database'],
    bug: { appendsUnderAnyNumber: true },
  },
  {
    name: 'leaves-the-quote',
    breaks: 'safe-before-next',
    does: 'ends a daemon that loses its journal without the safe quote',
    finds: /has not sent the safe quote/,
    needs: ['holder cut off from the database'],
    bug: { leavesQuote: true },
  },
  {
    name: 'sends-again',
    breaks: 'withdraws-once',
    does: 'makes the next holder repeat requests that the journal records as sent',
    finds: /was sent again/,
    needs: ['daemon killed', 'withdrawal'],
    bug: { sendsAgain: 'everything' },
  },
  {
    name: 'books-again',
    breaks: 'booked-once',
    does: 'makes each holder book the fills of the previous holder again',
    finds: /fill|break|in the end the ledger/,
    needs: ['daemon killed'],
    bug: { renamesFills: true },
  },
  {
    name: 'never-takes',
    breaks: 'in-time',
    does: 'makes a candidate wait without a limit',
    finds: /after kill -9/,
    needs: [],
    bug: { waitMs: 10 ** 9 },
  },
  {
    name: 'never-lets-go',
    breaks: 'in-time',
    does: 'makes a daemon leave without releasing the position',
    finds: /after SIGTERM/,
    from: 4,
    needs: [],
    bug: { neverLetsGo: true },
  },
  {
    name: 'forgets-the-quote',
    breaks: 'left-safe',
    does: 'ends a daemon after it has released the position to no one, and leaves its quote live',
    finds: /no one has taken the position/,
    needs: ['all SIGTERM'],
    bug: { forgetsTheQuote: true },
  },
  {
    name: 'queues-behind-the-gate',
    breaks: 'lands-in-turn',
    does: 'delays every second write by 8 s after the check, and keeps a daemon alive that has lost the position',
    finds: /lands after one under/,
    from: 5,
    needs: ['holder cut off from the database'],
    bug: { queuesMs: 8_000, livesOn: true },
  },
  {
    name: 'activates-again',
    breaks: 'activates-once',
    does: 'makes the next holder resend the activations in the journal',
    finds: /an activation was sent again/,
    needs: ['daemon killed', 'all killed', 'withdrawal'],
    bug: { sendsAgain: 'activations' },
  },
  {
    name: 'never-starts-again',
    breaks: 'one-holder',
    does: 'prevents a killed daemon from standing by again',
    finds: /healed, no one holds the position/,
    needs: ['daemon killed'],
    bug: { startsOnce: true },
  },
]
