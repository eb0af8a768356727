import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import {
  activeRead,
  type Hold,
  isNotReturnable,
  nextStep,
  takeSideRead,
  type Step,
  type WriteOutcome,
  writeEnded,
  writeStarted,
} from '../position/ladder.ts'
import { keepWritten } from '../position/record.ts'
import { mayActAtVenue } from '../position/venue-window.ts'
import { createSafetyNotices } from './safety-notices.ts'
import type { Acting } from './watch-parts.ts'

/** The guard's actions at the venue while the daemon is silent. */
export type Act = {
  /** The guard has just fired. */
  readonly began: () => void
  /** The position was handed back. */
  readonly ended: () => void
  readonly tick: (hold: Hold) => void
  /** Checks immediately whether the venue accepts the key again. */
  readonly tryKeyAgain: () => void
  /** Why nothing is sent at the moment: the venue rejects the key. Null = it does not. */
  readonly powerless: () => string | null
}

/** The first pause before a rejected key is retried; later pauses double. A proxy may have rejected it, or it was exchanged. */
const KEY_AGAIN_MS: Ms = MINUTE_MS
const KEY_AGAIN_AT_MOST_MS: Ms = 10 * MINUTE_MS

type Refused = { words: string; pauseMs: Ms; againAt: Ms }

/** `onSeen` is called when the venue answers a read. */
export function createAct(acting: Acting, onSeen: () => void): Act {
  const { watched, settings, clock, window, report } = acting
  const notices = createSafetyNotices(acting)
  let refused: Refused | null = null

  function noteKey(hold: Hold, { kind, words }: WriteOutcome): void {
    if (kind === 'done' && refused !== null) {
      refused = null
      report.lift('guard-powerless', settings, 'the venue accepts the key again, and the guard continues')
    }
    if (kind !== 'refused-key') return
    if (refused === null && !report.isOpen(settings.name, 'guard-powerless'))
      report.notify(
        'guard-powerless',
        settings,
        `${words}: the guard can do nothing until the venue accepts the key, and the quote remains unchanged`,
      )
    const pauseMs = refused === null ? KEY_AGAIN_MS : Math.min(2 * refused.pauseMs, KEY_AGAIN_AT_MOST_MS)
    refused = { words, pauseMs, againAt: clock.now() + pauseMs }
    hold.powerless = words
  }

  /** Takes the next step of the ladder unless one is in progress. Each step that ends starts the next one. */
  function next(hold: Hold): void {
    if (watched.hold !== hold || watched.isBusy || !settings.acts) return
    const now = clock.now()
    if (refused !== null && now >= refused.againAt) hold.powerless = null
    const step = nextStep(hold, now, settings)
    if (step.do === 'wait') return
    const kind = step.do === 'write' || step.do === 'deactivate' ? 'write' : 'read'
    if (!mayActAtVenue(window, now, kind, settings.requestsPerMinute)) return
    watched.isBusy = true
    const done =
      step.do === 'write' || step.do === 'deactivate'
        ? write(acting, hold, step, noteKey)
        : read(acting, hold, step, onSeen)
    void done.finally(() => {
      watched.isBusy = false
      if (watched.hold === hold) notices.look(hold, refused !== null)
      next(hold)
    })
  }

  return {
    began: notices.began,
    ended() {
      refused = null
      notices.ended()
    },
    tick(hold) {
      next(hold)
      notices.look(hold, refused !== null)
    },
    tryKeyAgain() {
      if (refused !== null) refused.againAt = clock.now()
    },
    powerless: () => refused?.words ?? null,
  }
}

type WriteStep = Extract<Step, { readonly do: 'write' | 'deactivate' }>
type ReadStep = Extract<Step, { readonly do: 'read' | 'look-active' }>

async function read(
  { client, clock, settings, report }: Acting,
  hold: Hold,
  step: ReadStep,
  onSeen: () => void,
): Promise<void> {
  if (step.do === 'look-active') return activeRead(hold, await client.readActive(), clock.now())
  const bps = await client.readSide(step.side)
  if (bps.ok || !bps.error.blocksWrites) onSeen()
  const seen = takeSideRead(hold, step.side, bps.ok ? bps.value : null, clock.now(), settings)
  if (seen === 'differs' && bps.ok)
    report.log(
      'warn',
      settings.name,
      `the venue quotes ${bps.value} bps on the ${step.side} instead of the safe quote; it is set again`,
    )
}

async function write(
  { client, clock, settings, watched, report, onChange }: Acting,
  hold: Hold,
  step: WriteStep,
  noteKey: (hold: Hold, outcome: WriteOutcome) => void,
): Promise<void> {
  writeStarted(hold, clock.now())
  keepWritten(watched.kept, { at: clock.wall(), what: step.do === 'write' ? step.what : 'deactivation' })
  onChange()
  const outcome = step.do === 'write' ? await client.write(step.what) : await client.deactivate()
  writeEnded(hold, outcome, clock.now())
  if (step.do === 'deactivate' && hold.isOut) {
    watched.kept.isOut = true
    onChange()
  }
  const name = step.do === 'write' ? `the quote (${step.what})` : 'the deactivation'
  const end = isNotReturnable(hold) ? '; not returnable here, and not asked for again' : ''
  report.log(outcome.kind === 'done' ? 'info' : 'warn', settings.name, `${name}: ${outcome.words}${end}`)
  noteKey(hold, outcome)
  if (step.do === 'deactivate' && hold.isOut)
    report.notify(
      'guard-deactivated',
      settings,
      'the position is taken out of the market; only a person activates it again',
    )
}
