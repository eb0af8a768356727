import { ASSETS, parseTokens } from '../../../base/money/asset.ts'
import { parseDifference } from '../../../base/money/difference.ts'
import { parseRate } from '../../../base/money/rate.ts'
import { err, ok } from '../../../base/result.ts'
import type { OperatorCommand, StopCommand } from '../../../core/engine/model/event.ts'
import { PERMISSIONS } from '../auth/permissions.ts'
import {
  changesField,
  type CommandEntry,
  type CommandName,
  KEY,
  KEY_HINT,
  keyProblem,
  start,
  stop,
  type StartName,
  type StopEntry,
  type StopName,
  TEXT_LIMIT,
} from './command-entry.ts'

const OPERATE = ['operate'] as const
const NO_KEY =
  'a withdrawal needs the header Idempotency-Key: a repeated request with the same key is the same withdrawal'
const NO_EXPECT =
  'book needs expect, the difference to book, such as "5 NTZS, -1.5 USDC": GET /api/v1/state shows it as reconciliation.difference'

/**
 * All operator commands. HTTP route, OpenAPI entry, button and, without options, command line are derived from here;
 * `core/engine/operator/on-command.ts` executes them. The types below make `cli/operator/register.ts` and
 * `console/page/actions/actions-for.ts` complete.
 */
export const OPERATOR_COMMANDS = {
  pause: stop({
    summary: 'Quote both sides at the safe spread until resume',
    needs: OPERATE,
    isForAll: true,
    make: () => ({ name: 'pause' }),
    later: 'Trading will be paused',
    cli: {
      does: 'quote both sides at the safe spread until resume',
      more: 'The position stays in the market at quote.safeBps. Works with and without a running daemon.',
    },
    button: {
      label: 'Pause',
      effect: 'The quote is widened to the safe quote and stays there until an operator resumes.',
      isGrave: false,
    },
  }),
  halt: stop({
    summary: 'Stop trading; only resume lifts it, a restart does not',
    needs: OPERATE,
    isForAll: true,
    make: () => ({ name: 'halt' }),
    later: 'Trading will be halted',
    cli: {
      does: 'stop trading; only resume lifts the halt, a restart does not',
      more: 'risk.onHalt decides what happens to the quote: deactivate or safe. Works with and without a running daemon.',
    },
    button: {
      label: 'Halt',
      effect:
        'Trading stops at once and stays stopped, even after a restart, until an operator resumes. The capital leaves the pool, or the safe quote stays: risk.onHalt decides.',
      isGrave: true,
    },
  }),
  resume: start({
    summary: 'Lift a pause or a halt; may book an unreconciled difference',
    needs: OPERATE,
    keptBy: 'event',
    fields: (zod) => ({
      book: zod
        .enum(['adjustment', 'deposit', 'withdrawal'])
        .optional()
        .describe('How to book the difference between the balances and the ledger.'),
      expect: zod
        .string()
        .max(TEXT_LIMIT)
        .optional()
        .describe(
          'With book: the difference to book, e.g. "5 NTZS, -1.5 USDC"; any other is refused. See reconciliation.difference of the state.',
        ),
      reviewUntil: zod
        .int()
        .positive()
        .optional()
        .describe(
          'Milliseconds since the epoch, at most 24 hours ahead: until then risk.reviewAfter does not stop trading.',
        ),
      acceptMid: zod
        .string()
        .max(TEXT_LIMIT)
        .optional()
        .describe(
          'The mid that waits for confirmation, exactly as the state shows it; without it no mid is adopted.',
        ),
    }),
    make({ book, expect, reviewUntil, acceptMid }) {
      if (book !== undefined && reviewUntil !== undefined)
        return err('book and reviewUntil: use only one of them at a time')
      if (book !== undefined && expect === undefined) return err(NO_EXPECT)
      const difference = expect === undefined ? null : parseDifference(expect)
      if (difference?.ok === false) return err(`expect: ${difference.error}`)
      const named = acceptMid === undefined ? null : parseRate(acceptMid)
      if (named?.ok === false) return err(`acceptMid: ${named.error.message}`)
      return ok({
        name: 'resume',
        ...(book !== undefined && { book }),
        ...(difference !== null && { expect: difference.value }),
        ...(reviewUntil !== undefined && { reviewUntil }),
        ...(named !== null && { acceptMid: named.value }),
      })
    },
    cli: null,
    button: {
      label: 'Resume',
      effect:
        'Pauses and halts are lifted. The strategy is asked again, and its quote is sent as far as risk allows it.',
      isGrave: false,
    },
  }),
  activate: start({
    summary: 'Bring the position into the market',
    needs: OPERATE,
    keptBy: 'event',
    fields: () => ({}),
    make: () => ok({ name: 'activate' }),
    cli: {
      does: 'activate the position at the venue, once its quote is confirmed',
      more: 'Needs a running daemon, which monitors the live quote.',
    },
    button: {
      label: 'Activate',
      effect: 'The capital goes from the wallet into the pool, and takers can trade against the quote.',
      isGrave: false,
    },
  }),
  deactivate: stop({
    summary: 'Take the position out of the market',
    needs: OPERATE,
    make: ({ wallet, isHurried }) => ({
      name: 'deactivate',
      insists: true,
      ...(wallet !== null && { wallet }),
      ...(isHurried && { now: true }),
    }),
    later: 'The position will be deactivated',
    cli: null,
    button: {
      label: 'Deactivate',
      effect: 'The quote is withdrawn, and the capital moves from the pool back to the wallet.',
      isGrave: false,
    },
  }),
  withdraw: start({
    summary:
      'Send tokens from the wallet to a listed address within the daily cap; a large amount waits for approval',
    needs: ['withdraw'],
    keptBy: 'command',
    fields: (zod) => ({
      asset: zod.enum(ASSETS),
      amount: zod
        .string()
        .max(TEXT_LIMIT)
        .describe('Decimal text, whole tokens: a JSON number would not be exact.'),
      toAddress: zod.string().regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address of 0x and 40 hex digits'),
    }),
    make({ asset, amount, toAddress }, { by, key }) {
      const parsed = parseTokens(amount, asset)
      if (!parsed.ok) return err(`amount: ${parsed.error.message}`)
      if (parsed.value <= 0n) return err('amount: must be more than zero')
      if (key === null) return err(NO_KEY)
      const problem = keyProblem(key)
      if (problem !== null) return err(problem)
      return ok({ name: 'withdraw', asset, amount: parsed.value, toAddress, key, by })
    },
    cli: null,
    button: null,
  }),
  approveWithdrawal: start({
    summary: 'Approve a withdrawal that another token requested; it is sent after the cool-off',
    needs: ['approve'],
    keptBy: 'process',
    fields: (zod) => ({
      key: zod
        .string()
        .regex(KEY, KEY_HINT)
        .describe('The Idempotency-Key with which the withdrawal was requested.'),
    }),
    make: ({ key }, { by }) => ok({ name: 'approveWithdrawal', key, by }),
    cli: null,
    button: {
      label: 'Approve withdrawal',
      effect:
        'You approve a withdrawal that another token requested. The tokens are sent after the cool-off; until then anyone who may operate can cancel it. You cannot approve your own request.',
      isGrave: true,
    },
  }),
  cancelWithdrawal: stop({
    summary: 'Cancel a withdrawal that was not sent yet; without a key, all of them',
    needs: ['operate', 'withdraw', 'approve'],
    make: ({ key }) => ({ name: 'cancelWithdrawal', key }),
    later: 'The withdrawal will be cancelled',
    cli: null,
    button: {
      label: 'Cancel withdrawal',
      effect: 'The withdrawal is cancelled before it leaves. Nothing is sent.',
      isGrave: false,
    },
  }),
  ack: start({
    summary: 'Acknowledge open alerts, which ends their reminders',
    needs: OPERATE,
    isForAll: true,
    keptBy: 'process',
    fields: (zod) => ({
      code: zod
        .string()
        .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'expected the code of an alert, such as halted')
        .nullable()
        .default(null)
        .describe('The code of the alert; null or absent = all open alerts.'),
    }),
    make: ({ code }) => ok({ name: 'ack', code }),
    cli: null,
    button: null,
  }),
  reload: start({
    summary: 'Read the configuration again, or set parameters within their schema',
    needs: OPERATE,
    keptBy: 'process',
    fields: (zod) => ({
      changes: changesField(zod).optional(),
      fromFile: zod.boolean().default(false).describe('Discard the settings made over HTTP before.'),
    }),
    make: ({ changes = {}, fromFile }, { by }) => ok({ name: 'reload', by, changes, fromFile }),
    cli: null,
    button: {
      label: 'Reload',
      effect: 'The configuration file and the strategy are read again, all or nothing.',
      isGrave: false,
    },
  }),
  cancelOrders: stop({
    summary: 'Cancel signed orders on chain; without salts, all of them',
    needs: OPERATE,
    make: ({ salts }) => ({ name: 'cancelOrders', salts }),
    later: 'The orders will be cancelled',
    cli: null,
    button: {
      label: 'Cancel orders',
      effect: 'Every outstanding signed order is cancelled on chain, whatever the gas costs.',
      isGrave: true,
    },
  }),
  stopSigning: stop({
    summary: 'Sign no more orders; `mizani rfq stop-at never` lifts it',
    needs: OPERATE,
    make: () => ({ name: 'stopSigning' }),
    later: 'Signing will be stopped',
    cli: null,
    button: {
      label: 'Stop signing',
      effect: 'No further orders are signed; outstanding orders stay until they expire or are cancelled.',
      isGrave: true,
    },
  }),
} as const satisfies { readonly [Name in StopName]: StopEntry } & {
  readonly [Name in StartName]: CommandEntry
}

type With<Surface extends 'cli' | 'button'> = {
  readonly [Name in CommandName]: (typeof OPERATOR_COMMANDS)[Name][Surface] extends null ? never : Name
}[CommandName]
/** The commands whose command line has no options. */
export type PlainName = With<'cli'>
export type ButtonName = With<'button'>

export const COMMAND_NAMES = Object.keys(OPERATOR_COMMANDS) as readonly CommandName[]
export const START_NAMES = COMMAND_NAMES.filter(
  (name): name is StartName => 'fields' in OPERATOR_COMMANDS[name],
)
const STOP_NAMES = COMMAND_NAMES.filter((name): name is StopName => !('fields' in OPERATOR_COMMANDS[name]))

export function isStop(command: OperatorCommand): command is StopCommand {
  return (STOP_NAMES as readonly string[]).includes(command.name)
}

/** The treasury's stop has a route like the stops of a position. */
export const TREASURY_STOP = {
  summary: 'Send nothing from the treasury until it is resumed',
  needs: PERMISSIONS,
} as const

export const STOP_PATHS = [...STOP_NAMES, 'treasury/stop'] as const
export type StopPath = (typeof STOP_PATHS)[number]
