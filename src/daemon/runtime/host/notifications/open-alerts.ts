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
  /** The file that keeps the alerts across restarts. */
  readonly path: string
  /** The first audience of every alert. */
  readonly everybody: Pick<Notifier, 'tell'>
  /** The notifier of each escalation step, in order. */
  readonly steps: readonly Pick<Notifier, 'tell'>[]
  readonly log: Pick<Log, 'warn'>
}

/** The open critical alerts of one position: repeated and escalated until someone acknowledges them. */
export type OpenAlerts = {
  readonly take: (notice: Notice) => void
  /** The position runs: alerts left open by an earlier process continue, except those that the start ends. */
  readonly start: () => void
  /** Repeats open alerts even if the position never ran; nothing is saved then, because the store may belong to another process. */
  readonly repeat: () => void
  readonly list: () => readonly OpenAlert[]
  /** Resolves with the acknowledged codes once they are on disk, or once writing them has failed. */
  readonly acknowledge: (codes: readonly string[], who: string, why: string) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

const LOOK_EVERY_MS = SECOND_MS
/** A running position has its store and has read back its quote, which ends these alerts. */
const ENDED_BY_A_START = ['daemon-gone', 'store', 'exit-unconfirmed']

/** The alert book and its storage. */
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
        const text = `${who} acknowledged it (${why}): ${alert.text}`
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
  // Until the position runs, the store may belong to another process.
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

/** Alerts received during the start override those from before. */
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
