import { z } from 'zod'
import { field, flag, orNull, whole } from './field.ts'

/** The names of http.token and http.readToken in the journal. */
const TAKEN_NAMES = ['operator', 'reader']

const permission = z.enum(['read', 'operate', 'withdraw', 'approve'])

/** A token with the name under which the journal records its commands. */
const namedToken = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
      'not a name; expected letters, digits, dots, dashes (at most 63)',
    )
    .refine((name) => !TAKEN_NAMES.includes(name), 'the name of http.token or http.readToken; take another')
    .describe('The name of the operator in the journal.'),
  token: field.secret,
  may: z
    .array(permission)
    .min(1)
    .describe('read, operate, withdraw (request withdrawals), approve (withdrawals that others requested).'),
})

/** The HTTP server: its address, and the permissions of each token. */
export const httpSection = z
  .strictObject({
    host: field.text.default('127.0.0.1'),
    port: whole(0, 65_535).default(9_464).describe('0 takes any free port.'),
    token: orNull(
      field.secret,
      'The token of one operator with every permission, except to approve a withdrawal of his own. Without any token POSTs are rejected.',
    ),
    readToken: orNull(field.secret, 'A read-only token, for Prometheus and dashboards.'),
    readsNeedToken: flag(
      'Reads on loopback need a token too: set it where a proxy passes requests to this port. Away from loopback they always do.',
    ),
    tokens: z
      .array(namedToken)
      .max(50)
      .default([])
      .describe('Named tokens: the journal records the name of the token with each command.'),
  })
  .refine(({ tokens }) => new Set(tokens.map(({ name }) => name)).size === tokens.length, {
    path: ['tokens'],
    message: 'two tokens have one name; the journal identifies people by it',
  })

export type HttpSection = z.output<typeof httpSection>
