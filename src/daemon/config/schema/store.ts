import { z } from 'zod'
import { DEFAULT_TERMS } from '../../../core/lease/terms.ts'
import { field, flag, orNull, whole } from './field.ts'

/** The lease of a position whose store is in PostgreSQL. Ignored for a folder. */
const leaseSection = z
  .strictObject({
    renewMs: field.intervalMs
      .default(DEFAULT_TERMS.renewMs)
      .describe('The daemon that holds the position shows a sign of life this often.'),
    roundTripMs: field.intervalMs
      .default(DEFAULT_TERMS.roundTripMs)
      .describe('A sign of life without an answer of PostgreSQL by then is sent again.'),
    deadlineMs: field.intervalMs
      .default(DEFAULT_TERMS.deadlineMs)
      .describe('Time after the last confirmed sign of life by which every write of the daemon has ended.'),
    waitMs: field.intervalMs
      .default(DEFAULT_TERMS.waitMs)
      .describe(
        'Time without a sign of life after which another daemon takes over; at least 1.5 times deadlineMs. If two daemons differ, the longer one counts.',
      ),
  })
  .describe('With store.postgres only; `mizani check` proposes values that fit the venue and PostgreSQL.')

/** The location of the position's store. */
export const storeSection = z.strictObject({
  path: field.text.default('./data').describe('A folder, relative to the working directory.'),
  postgres: orNull(
    field.database,
    'Keeps journal and tables in PostgreSQL instead of the folder: postgres://HOST/DATABASE. A URL with a password is a secret: !env NAME or !file PATH.',
  ),
  allowPlain: flag(
    'true: PostgreSQL on another machine may be reached without sslmode=verify-full. For networks that are private by other means.',
  ),
  keepJournalDays: whole(1, 36_500).default(30),
  lease: leaseSection.prefault({}),
})
