import {
  acknowledge,
  dueText,
  emptyAlertBook,
  endAlerts,
  takeNotice,
  parseAlertBook,
  takeDue,
  type AlertBook,
  type DueAlert,
  type OpenAlert,
} from '../../../../core/alerts/alert-book.ts'
import { SECOND_MS, type Ms } from '../../../../base/time.ts'
import type { LoadedAlert } from '../../../config/load/alert.ts'
import type { Notifier } from '../../../notify/delivery/notifier.ts'
import { notifyFile } from '../../../notify/kept-file.ts'
import type { Notice } from '../../../notify/notice.ts'
import type { Log } from '../../../telemetry/log/log.ts'
import { runEvery } from '../../../../base/threads/timing.ts'

type OpenAlertsParts = {
  readonly rules: Pick<LoadedAlert, 'repeatMs' | 'escalation'>
  /** Where the book is kept over restarts. */
  readonly path: string
  /** Everybody who is notified first. */
  readonly everybody: Pick<Notifier, 'tell'>
  /** The people of each step of the escalation, in order. */
  readonly steps: readonly Pick<Notifier, 'tell'>[]
  readonly log: Pick<Log, 'warn'>
}

/** The critical alerts of one position that are open: repeated and escalated until someone acknowledges them. */
export type OpenAlerts = {
  readonly take: (notice: Notice) => void
  /** The position runs: what a process before this one left open continues, but for what the start has ended. */
  readonly start: () => void
  /** Repeats what is open also where the position never ran: then nothing is kept, for the store may be another process's. */
  readonly repeat: () => void
  readonly list: () => readonly OpenAlert[]
  /** Resolves with the codes that `who` has in hand now, once that is on disk as far as the disk takes it. */
  readonly acknowledge: (codes: readonly string[], who: string, why: string) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

const LOOK_EVERY_MS = SECOND_MS
/** A position that runs has its store, and reads back what it left at the venue. */
const ENDED_BY_A_START = ['daemon-gone', 'store', 'exit-unconfirmed']

/** The book and where it is kept. */
type Keeper = { book: AlertBook; readonly save: () => Promise<void>; readonly start: () => void }

export function openAlerts({ rules, everybody, steps, path, log }: OpenAlertsParts): OpenAlerts {
  const keeper = keepBook(path, log)
  const escalateAfterMs = rules.escalation.map(({ afterMs }) => afterMs)
  let timer: NodeJS.Timeout | undefined
  /** Everyone who was notified of an alert. */
  const audience = ({ escalated }: OpenAlert) => [everybody, ...steps.slice(0, escalated)]

  function look(): void {
    const now = Date.now()
    const due = takeDue(keeper.book, { repeatMs: rules.repeatMs, escalateAfterMs }, now)
    if (due.length === 0) return
    for (const one of due) {
      const people = one.kind === 'repeat' ? audience(one.alert) : [steps[one.step]]
      for (const who of people) who?.tell(noticeOf(one, now))
    }
    void keeper.save()
  }

  function repeat(): void {
    timer ??= runEvery(look, LOOK_EVERY_MS).unref()
  }

  return {
    take(notice) {
      const { changed, ended } = takeNotice(keeper.book, notice)
      for (const people of steps.slice(0, ended?.escalated ?? 0)) people.tell(notice)
      if (changed) void keeper.save()
    },
    start() {
      keeper.start()
      repeat()
    },
    repeat,
    list: () => keeper.book.alerts,
    async acknowledge(codes, who, why) {
      const at = Date.now()
      const taken = acknowledge(keeper.book, codes, { who, why, at })
      for (const alert of taken) {
        const text = `${who} has it in hand (${why}): ${alert.text}`
        const notice = { ...noticeAbout(alert, at), kind: 'acknowledged', severity: 'info', text } as const
        for (const people of audience(alert)) people.tell(notice)
      }
      await keeper.save()
      return taken.map(({ code }) => code)
    },
    close() {
      clearInterval(timer)
      return keeper.save()
    },
  }
}

function keepBook(path: string, log: OpenAlertsParts['log']): Keeper {
  const file = notifyFile(path, parseAlertBook, emptyAlertBook)
  // Before it runs, the store may be another process's.
  let isStarted = false
  let writing = Promise.resolve()
  const keeper: Keeper = {
    book: emptyAlertBook(),
    start() {
      keeper.book = merged(file.read(Date.now()), keeper.book)
      isStarted = true
      endAlerts(keeper.book, ENDED_BY_A_START)
      void keeper.save()
    },
    save() {
      if (!isStarted) return writing
      writing = writing
        .then(() => file.write(keeper.book))
        .catch((error: unknown) => {
          const { code = 'unknown' } = error as NodeJS.ErrnoException
          const words = `open alerts cannot be written (${code}): a restart forgets who acknowledged them`
          log.warn({ event: 'notification', code }, words)
        })
      return writing
    },
  }
  return keeper
}

/** What was received while the position started holds against what was left. */
function merged(left: AlertBook, received: AlertBook): AlertBook {
  const codes = new Set(received.alerts.map(({ code }) => code))
  return { alerts: [...left.alerts.filter(({ code }) => !codes.has(code)), ...received.alerts] }
}

function noticeAbout(
  { code, since, raisedAt }: OpenAlert,
  t: Ms,
): Omit<Notice, 'kind' | 'severity' | 'text'> {
  return { t, code, since: since ?? raisedAt }
}

function noticeOf(due: DueAlert, now: Ms): Notice {
  const { alert, kind } = due
  return {
    ...noticeAbout(alert, now),
    kind: kind === 'escalate' ? 'raised' : 'reminder',
    severity: 'critical',
    text: dueText(due, now),
  }
}
