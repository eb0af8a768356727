import { MINUTE_MS, SECOND_MS, type Ms } from '../../base/time.ts'
import type { SealedCancels } from '../../rfq/sealed/sealed-cancels.ts'
import { nextSealedStep, type SealedStep, type SentOutcome } from '../position/sealed-step.ts'
import type { ChainHand } from './chain-hand.ts'
import type { GuardNotice } from '../notices/notice.ts'

/** What the guard does with the sealed cancels of a position while nobody holds its lease. */
export type SealedBroadcast = {
  /** To be called with each tick while the guard acts; one thing at a time. */
  readonly act: () => void
  /** The daemon is back: nothing more is sent. */
  readonly rest: () => void
  /** Null = it did not have to do anything since the daemon was there. */
  readonly status: () => SealedStatus | null
}

export type SealedStatus = {
  /** `open`: none of them is in a block yet. `mined`: one is. `void`: none can get into one. `absent`, `over`: there is nothing to send. */
  readonly state: 'open' | 'mined' | 'void' | 'absent' | 'over'
  readonly words: string
}

export type SealedBroadcastParts = {
  /** The file as it is now; the error is a sentence. */
  readonly readFile: () => SealedCancels | string
  readonly hand: ChainHand
  /** Orders end by themselves within this. */
  readonly maxLifeMs: Ms
  readonly clock: { readonly now: () => Ms; readonly wall: () => Ms }
  readonly log: (level: 'info' | 'warn', message: string) => void
  readonly notify: (code: GuardNotice, message: string) => void
}

const LOOK_MS: Ms = SECOND_MS
/** At the end it is looked again: a reorganisation may undo a block. */
const LOOK_AGAIN_MS: Ms = 15 * SECOND_MS
/** A person is told of a failure that lasts. */
const PATIENCE_MS: Ms = 15 * SECOND_MS
/** By so much clocks of two machines may differ before an old file is taken for one that still matters. */
const CLOCK_MARGIN_MS: Ms = 15 * MINUTE_MS

/** Of one firing. */
type Attempt = {
  readonly since: Ms
  readonly sent: Map<string, SentOutcome>
  /** What was read when one of them got into a block: later files are of a daemon that lives. */
  done: SealedCancels | null
  status: SealedStatus
  dueAt: Ms
  isTold: boolean
}

export function createSealedBroadcast(parts: SealedBroadcastParts): SealedBroadcast {
  const { clock } = parts
  let attempt: Attempt | null = null
  let isBusy = false

  return {
    act() {
      const now = clock.now()
      attempt ??= begin(now)
      if (isBusy || now < attempt.dueAt) return
      isBusy = true
      const mine = attempt
      void perform(mine, parts, () => attempt === mine).finally(() => (isBusy = false))
    },
    rest: () => void (attempt = null),
    status: () => attempt?.status ?? null,
  }
}

function begin(now: Ms): Attempt {
  const status = { state: 'open', words: 'nothing was sent yet' } as const
  return { since: now, sent: new Map(), done: null, status, dueAt: now, isTold: false }
}

async function perform(attempt: Attempt, parts: SealedBroadcastParts, acts: () => boolean): Promise<void> {
  const { clock, readFile, hand } = parts
  attempt.dueAt = clock.now() + LOOK_MS
  const sealed = attempt.done ?? readFile()
  if (typeof sealed === 'string') return note(attempt, parts, { state: 'absent', words: sealed })
  if (clock.wall() > sealed.usefulUntil + CLOCK_MARGIN_MS)
    return note(attempt, parts, {
      state: 'over',
      words: 'every order that the sealed cancels cover has ended',
    })
  const sight = await hand.look(sealed.maker, sealed.transactions)
  if (sight === null)
    return note(attempt, parts, { state: 'open', words: 'no endpoint of the chain answers' })
  const step = nextSealedStep(sealed, sight, attempt.sent, clock.now())
  if (step.do === 'rest') attempt.done = sealed
  if (step.do === 'rest' || step.do === 'give-up') attempt.dueAt = clock.now() + LOOK_AGAIN_MS
  if (step.do !== 'send') return note(attempt, parts, statusOf(step, attempt.status))
  // The daemon may have come back while the chain was looked at.
  if (!acts()) return
  const { nonce, level, raw, hash } = step.transaction
  const { kind, words } = await hand.send(raw)
  attempt.sent.set(hash, { at: clock.now(), kind })
  const what = `the sealed cancel of nonce ${nonce} at fee level ${level}`
  const outcome = kind === 'taken' ? `${what} is in the network` : `${what} was not taken: ${words}`
  parts.log(kind === 'taken' ? 'info' : 'warn', outcome)
  note(attempt, parts, { state: 'open', words: outcome })
}

function statusOf(step: Exclude<SealedStep, { readonly do: 'send' }>, before: SealedStatus): SealedStatus {
  if (step.do === 'rest')
    return { state: 'mined', words: `every signed order is cancelled by transaction ${step.done.hash}` }
  if (step.do === 'give-up')
    return { state: 'void', words: 'the wallet has sent other transactions: the sealed cancels are void' }
  return before
}

/** Keeps what `status` shows, and tells people of the end, once each. */
function note(
  attempt: Attempt,
  { notify, log, clock, maxLifeMs }: SealedBroadcastParts,
  next: SealedStatus,
): void {
  const { state: before } = attempt.status
  attempt.status = next
  if (next.state === 'mined' && before !== 'mined') notify('guard-cancelled', next.words)
  if (next.state === 'over' && before !== 'over') log('info', next.words)
  const isWell = next.state === 'mined' || next.state === 'over'
  if (isWell || attempt.isTold || clock.now() - attempt.since < PATIENCE_MS) return
  attempt.isTold = true
  const seconds = maxLifeMs / SECOND_MS
  notify(
    'guard-not-cancelled',
    `signed orders are not cancelled on chain (${next.words}); they end by themselves within ${seconds} s of the last signature`,
  )
}
