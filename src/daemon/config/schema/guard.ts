import { z } from 'zod'
import { DEFAULT_TERMS } from '../../../core/lease/terms.ts'
import { field, orNull, whole } from './field.ts'

/** The dead-man switch in a separate process: its address, and what it does when the daemon is silent. */
export const guardSection = z.strictObject({
  url: orNull(field.url, 'Where the daemon renews its leases. null = port of this machine, over plain HTTP.'),
  host: field.text.default('127.0.0.1').describe('Where `mizani guard` listens.'),
  port: orNull(
    whole(1, 65_535),
    'Where `mizani guard` listens. null = http.port + 1, or + 2 where treasury.webhooks listens there.',
  ),
  token: orNull(
    field.secret,
    'Shared secret with which daemon and guard authenticate each other; it is never sent. null = the token of http, or the one that the daemon generates on this machine.',
  ),
  tls: orNull(
    z.strictObject({
      cert: field.text.describe('A file with the certificates of the guard, PEM, relative to this file.'),
      key: field.text.describe('A file with its private key, PEM, relative to this file.'),
    }),
    'Needed where the guard listens beyond this machine.',
  ),
  ca: orNull(
    field.text,
    'A file with the certificates that the one of the guard must come from. null = those of the system.',
  ),
  path: orNull(
    field.text,
    'A folder where the guard keeps the numbers of leases. null = guard in store.path.',
  ),
  whenSilent: z
    .enum(['safe', 'carry-on'])
    .default('safe')
    .describe(
      'What the daemon does when a guard that has granted a lease falls silent. safe: it writes the safe quote and waits. carry-on: it continues quoting without a guard.',
    ),
  handBack: z
    .enum(['auto', 'person'])
    .default('auto')
    .describe(
      'auto: a daemon that is back quotes again once it has reconciled. person: after `mizani guard release`.',
    ),
  heartbeatUrl: orNull(
    field.secret,
    'An address of an outside dead-man service that `mizani guard` asks with GET while it could act, as often as alert.heartbeatEveryMs and with alert.heartbeatSuffixes; another check than alert.heartbeatUrl, which the daemon has. Only the guard reads it. null = none.',
  ),
  renewMs: field.intervalMs.default(DEFAULT_TERMS.renewMs).describe('The daemon renews this often.'),
  roundTripMs: field.intervalMs
    .default(DEFAULT_TERMS.roundTripMs)
    .describe('A renewal without an answer by then has failed.'),
  deadlineMs: field.intervalMs
    .default(DEFAULT_TERMS.deadlineMs)
    .describe('Time after the last successful renewal by which every write of the daemon has ended.'),
  waitMs: field.intervalMs
    .default(DEFAULT_TERMS.waitMs)
    .describe(
      'Time without a renewal after which the guard sets the safe quote; at least 1.5 times deadlineMs.',
    ),
  closeSideAfterMs: field.durationMs
    .nullable()
    .default(60_000)
    .describe('So long after that it takes off the side that adds to the larger inventory. null = never.'),
  deactivateAfterMs: field.durationMs
    .nullable()
    .default(900_000)
    .describe(
      'So long after that it deactivates the position; then only a person activates it. null = never.',
    ),
})
