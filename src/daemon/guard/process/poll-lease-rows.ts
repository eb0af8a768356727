import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { LeaseReader } from '../../../store/postgres/read-leases.ts'
import type { LeaseRows } from '../position/lease-rows.ts'
import type { Report } from '../notices/report.ts'
import { runAfter, runCaught } from '../../../base/threads/timing.ts'

type LeasePollParts = {
  readonly reader: LeaseReader
  /** The positions with rows in this database. */
  readonly positions: ReadonlyMap<string, LeaseRows>
  readonly now: () => Ms
  readonly report: Pick<Report, 'log'>
}

/** Stops the poll. */
export type LeasePoll = () => Promise<void>

/** As often as a holder renews its row. */
const READ_EVERY_MS: Ms = SECOND_MS
const READ_WITHIN_MS: Ms = SECOND_MS

/**
 * Reads the lease rows of one database once a second until it is stopped. A failed read is logged once; the guard then relies on renewals
 * alone.
 */
export function pollLeaseRows({ reader, positions, now, report }: LeasePollParts): LeasePoll {
  const names = [...positions.keys()]
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let unread: string | null = null

  async function read(): Promise<void> {
    const rows = await reader.read(names, READ_WITHIN_MS)
    if (isClosed) return
    if (rows.ok) for (const row of rows.value) positions.get(row.position)?.saw(row, now())
    else for (const one of positions.values()) one.couldNotRead(rows.error)
    tell(rows.ok ? null : rows.error)
  }

  function readAgain(): Promise<void> {
    const began = now()
    return read().finally(() => {
      if (!isClosed) timer = runAfter(readAgain, Math.max(0, began + READ_EVERY_MS - now()))
    })
  }

  function tell(words: string | null): void {
    if ((words === null) === (unread === null)) return
    unread = words
    if (words === null) report.log('info', null, 'the lease rows in PostgreSQL are read again')
    else
      report.log(
        'warn',
        null,
        `the lease rows in PostgreSQL cannot be read (${words}): the guard uses renewals alone`,
      )
  }

  runCaught(readAgain)
  return async () => {
    isClosed = true
    clearTimeout(timer)
    await reader.close()
  }
}
