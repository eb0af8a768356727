import { Command, Help, InvalidArgumentError, Option } from 'commander'
import { existsSync } from 'node:fs'
import { isLoopback } from '../base/loopback.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Ms } from '../base/time.ts'

/** Options that most commands share. */
const SHARED_OPTIONS = {
  config: ['--config <file>', 'the configuration of the position'],
  configs: ['--config <file>', 'a configuration; may be repeated', collect],
  allowSkipped: [
    '--allow-skipped',
    'accept a tape with more skipped rows than backtest.maxSkippedShare (1 %)',
  ],
  from: ['--from <time>', 'start of the window', timeOption],
  to: ['--to <time>', 'end of the window, exclusive', timeOption],
  every: [
    '--every <duration>',
    'repeat it, for example 1h, until SIGTERM or SIGINT; exit code 0 then',
    durationOption,
  ],
  changes: ['--changes <json>', 'settings that replace those of the file, by dotted path', changesOption],
  json: ['--json', 'one JSON document instead of text'],
  reason: ['--why, --reason <text>', 'reason, which is journalled with your name', 'from the command line'],
} as const
type SharedName = keyof typeof SHARED_OPTIONS

/** The configuration of a command that needs one and got none, if the working folder has it. */
export const DEFAULT_CONFIG = './mizani.yaml'

/** How a command finds the running daemon; at least one of the first three is given. */
export type DaemonOptions = {
  readonly config?: string
  readonly store?: string
  readonly url?: string
  /** Selects a position of several, with a store or a URL. */
  readonly position?: string
}

/** A command with the options that most commands share. */
export class CommandLine extends Command {
  declare readonly commands: readonly CommandLine[]

  override createCommand(name?: string): CommandLine {
    return new CommandLine(name)
  }

  /** Adds text below the options in `--help`. */
  more(text: string): this {
    return this.addHelpText('after', text)
  }

  shared(...names: readonly SharedName[]): this {
    for (const name of names) this.addOption(sharedOption(name))
    return this
  }

  /** Adds `--config`, which the command requires; `configs` may be repeated. */
  needs(name: 'config' | 'configs'): this {
    return this.addOption(sharedOption(name).makeOptionMandatory())
  }

  /**
   * Adds `--config` for one position and `--fleet` for a whole folder. Without either, the error is that of a required
   * option.
   */
  configOrFleet(several: boolean): this {
    return this.shared(several ? 'configs' : 'config')
      .addOption(fleetOption('config'))
      .hook('preAction', (_program, called) => {
        setDefaultConfig(called, ['config', 'fleet'], several)
        const { config: file, fleet } = called.opts<{ config?: unknown; fleet?: string }>()
        if (file === undefined && fleet === undefined)
          called.error("error: required option '--config <file>' not specified, or --fleet <folder>")
      })
  }

  /** Adds `--store` and `--url`, which reach a running daemon without its configuration, next to `--config` (and `--fleet`). */
  daemonPlace({
    fleet = false,
    several = false,
  }: { readonly fleet?: boolean; readonly several?: boolean } = {}): this {
    const ways = ['config', 'store', 'url', ...(fleet ? ['fleet'] : [])]
    if (fleet) this.addOption(fleetOption('position'))
    return this.shared(several ? 'configs' : 'config')
      .option('--store <folder>', 'the store of the running daemon, instead of its configuration')
      .option('--url <url>', 'the address of the running daemon, instead of its configuration', daemonAddress)
      .option('--position <name>', 'with --store or --url: which position, where several run')
      .hook('preAction', (_program, called) => {
        setDefaultConfig(called, ways, several)
        const given = ways.filter((way) => called.opts<Record<string, unknown>>()[way] !== undefined)
        const all = ways.map((way) => `--${way}`).join(', ')
        if (given.length === 0)
          called.error(`error: required option '--config <file>' not specified, or one of ${all}`)
        if (given.length > 1)
          called.error(
            `error: ${given.map((way) => `--${way}`).join(' and ')} exclude each other; give one of ${all}`,
          )
      })
  }
}

function sharedOption(name: SharedName): Option {
  const [flags, description, value] = SHARED_OPTIONS[name] as readonly [string, string, unknown?]
  const option = new Option(flags, description)
  return typeof value === 'function' ? option.argParser(value as () => unknown) : option.default(value)
}

function fleetOption(other: string): Option {
  return new Option('--fleet <folder>', 'every position of a fleet, instead of --config').conflicts(other)
}

/** Sets the default configuration if none of the command's ways to find a position is given. */
function setDefaultConfig(called: Command, ways: readonly string[], several: boolean): void {
  const given = called.opts<Record<string, unknown>>()
  if (ways.some((way) => given[way] !== undefined) || !existsSync(DEFAULT_CONFIG)) return
  called.setOptionValueWithSource('config', several ? [DEFAULT_CONFIG] : DEFAULT_CONFIG, 'default')
}

/** Checks the URL of a daemon. A token is sent to it, so plain HTTP is accepted only where no one can eavesdrop. */
function daemonAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url === null || !isSafe || url.username !== '' || url.search !== '' || url.pathname !== '/')
    throw new InvalidArgumentError(
      'Expected https://HOST:PORT, or http://127.0.0.1:PORT on the machine of the daemon.',
    )
  return url.origin
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

type NumberRange = {
  readonly whole?: boolean
  readonly min: number
  readonly max: number
  /** The command checks the number, to report it together with its other problems. */
  readonly isCheckedLater?: boolean
}

/** Any seed that survives being written as a number. */
export const ANY_SEED: NumberRange = {
  whole: true,
  min: Number.MIN_SAFE_INTEGER,
  max: Number.MAX_SAFE_INTEGER,
}

/** Parses an option's number; anything else or out of range is refused with the valid form, which `--help` shows. */
export function numberOption({ whole = false, min, max, isCheckedLater = false }: NumberRange) {
  const upTo = max === Number.MAX_SAFE_INTEGER ? ` from ${min} up` : ` from ${min} to ${max}`
  const expected = `a ${whole ? 'whole number' : 'number'}${min === Number.MIN_SAFE_INTEGER ? '' : upTo}`
  const parse = (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    const fits =
      (whole ? Number.isSafeInteger(value) : Number.isFinite(value)) && value >= min && value <= max
    if (fits || isCheckedLater) return value
    throw new InvalidArgumentError(`Expected ${expected}.`)
  }
  return Object.assign(parse, { expected })
}

/** Returns the description of an option for `--help`: of a number with its bounds. */
export function describeOption(option: Option): string {
  const { expected } = { ...(option.parseArg as { readonly expected?: string } | undefined) }
  const description = expected === undefined ? option.description : `${option.description}; ${expected}`
  return new Help().optionDescription(Object.assign(Object.create(option) as Option, { description }))
}

const UNITS_MS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const

/** Parses an option's settings by dotted path; anything else is refused with the valid form. */
export function changesOption(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed }
  } catch {
    // Reported below.
  }
  throw new InvalidArgumentError('Expected a JSON object like {"quote.safeBps":300}.')
}

/** Parses an option's duration of one second to a year; anything else is refused with the valid form. */
export function durationOption(text: string): Ms {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const value = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]
  if (value >= SECOND_MS && value <= 366 * DAY_MS) return value
  throw new InvalidArgumentError('Expected a duration like 30m, 1h or 1d, of at most 366d.')
}

/** A day alone is midnight UTC. Without a zone, the machine's own would choose another window on each machine. */
const TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/

/** Parses an option's ISO 8601 time; anything else is refused with the valid form. */
export function timeOption(text: string): Ms {
  const at = Date.parse(text)
  if (TIME.test(text) && Number.isFinite(at)) return at
  throw new InvalidArgumentError('Expected a time like 2026-11-18T06:40:00Z, with its zone, or a day.')
}

/** Parses words separated by commas. */
export function keys(text: string): readonly string[] {
  return text.split(',').map((key) => key.trim())
}
