import type { z } from 'zod'
import type { Result } from '../../../base/result.ts'
import type { OperatorCommand, StopCommand } from '../../../core/engine/model/event.ts'
import type { Permission } from '../auth/permissions.ts'

/** An operator's commands to a running position. The process itself is ended by a signal. */
export type ConsoleCommand =
  | Exclude<OperatorCommand, { readonly name: 'shutdown' | 'acceptMid' | 'topUp' | 'ack' }>
  /** Acknowledges an alert by its code; null = every unacknowledged one. */
  | { readonly name: 'ack'; readonly code: string | null }
  | {
      readonly name: 'reload'
      /** The name of the token that reloads. */
      readonly by: string
      readonly changes: ParameterChanges
      /** Discards the settings made over HTTP before. */
      readonly fromFile: boolean
    }

/** New values by dotted path: `strategy.params.halfSpreadBps`. */
export type ParameterChanges = Readonly<Record<string, unknown>>

export type CommandName = ConsoleCommand['name']
export type StopName = StopCommand['name']
/** The commands whose bodies are validated. A stop is executed whatever its body is. */
export type StartName = Exclude<CommandName, StopName>

/** Maximum number of characters of names, reasons and other texts. */
export const TEXT_LIMIT = 500

export type Button = {
  readonly label: string
  /** What the command does, shown before it is confirmed. */
  readonly effect: string
  readonly isGrave: boolean
}

export type CommandEntry = {
  /** For the OpenAPI document. */
  readonly summary: string
  /** The token needs one of these permissions. */
  readonly needs: readonly Permission[]
  /** Applies to every position if none is named; other commands then need a single position. */
  readonly isForAll?: true
  /** The command line of a command without fields; null = it has options, or no command line (`cli/operator`). */
  readonly cli: { readonly does: string; readonly more: string } | null
  readonly button: Button | null
}

/** The fields of a stop's body that could be parsed. */
export type StopFields = {
  /** Null = not given. */
  readonly key: string | null
  /** Null = all orders. */
  readonly salts: readonly bigint[] | null
  readonly wallet: string | null
  readonly isHurried: boolean
}

export type StopEntry = CommandEntry & {
  readonly make: (fields: StopFields) => ConsoleCommand & StopCommand
  /** What happens once a position that does not answer takes the stop, such as `Trading will be halted`. */
  readonly later: string
}

type StartEntry<Fields extends z.ZodRawShape> = CommandEntry & {
  /**
   * Where the Idempotency-Key is stored: in this process for ten minutes, or in the core with the event (`event`) or as a field of the
   * command (`command`).
   */
  readonly keptBy: 'process' | 'event' | 'command'
  /** The fields of the body besides position, who and why. The page bundles this file, so zod is passed in. */
  readonly fields: (zod: typeof z) => Fields
  /** `by` is the name of the sender's token, `key` the Idempotency-Key. The error is a sentence with a valid example. */
  readonly make: (
    given: z.output<z.ZodObject<Fields>>,
    sent: { readonly by: string; readonly key: string | null },
  ) => Result<ConsoleCommand, string>
}

/** The type records whether the command has a command line and a button. */
type Surfaces<Cli, Button> = { readonly cli: Cli; readonly button: Button }

/** Gives an entry its type. */
export function stop<Cli extends CommandEntry['cli'], Press extends Button | null>(
  entry: StopEntry & Surfaces<Cli, Press>,
): StopEntry & Surfaces<Cli, Press> {
  return entry
}

/** Gives an entry its type, with the fields inferred from their declaration. */
export function start<
  Fields extends z.ZodRawShape,
  Cli extends CommandEntry['cli'],
  Press extends Button | null,
>(entry: StartEntry<Fields> & Surfaces<Cli, Press>): StartEntry<Fields> & Surfaces<Cli, Press> {
  return entry
}

export const KEY = /^[\x21-\x7e]{1,200}$/
export const KEY_HINT = 'expected up to 200 visible characters'

/** Returns why a text cannot be an Idempotency-Key; null = it can. */
export function keyProblem(key: string): string | null {
  return KEY.test(key) ? null : `Idempotency-Key: ${KEY_HINT}`
}

/** Dotted paths to new values. */
export function changesField(zod: typeof z) {
  return zod
    .record(zod.string().min(1).max(200), zod.unknown())
    .describe(
      'New values by dotted path, e.g. {"strategy.params.maxSkewBps": 70}; see GET /api/v1/parameters.',
    )
}
