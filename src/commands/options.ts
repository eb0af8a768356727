import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Ms } from '../base/time.ts'
import type { TapeWindow } from '../tape/model/batch.ts'
import { SCENARIO_NAMES } from '../scenarios/scenario.ts'

/** Options that most commands have in common, spread into commander's `option`. */
export const COMMAND_OPTIONS = {
  config: ['--config <file>', 'the configuration of the position'],
  configs: ['--config <file>', 'a configuration; may be repeated', collect],
  allowSkipped: [
    '--allow-skipped',
    'accept a tape of which more rows are skipped than backtest.maxSkippedShare (1 %)',
  ],
  json: ['--json', 'one JSON document instead of text'],
  reason: ['--why, --reason <text>', 'reason, which is journalled with your name', 'from the command line'],
} as const

/**
 * `--config` of one position, or `--fleet` for all of a folder. Without either the error is that of a required option.
 */
export function addConfigOrFleet(command: Command, several: boolean): Command {
  const [flags, description, parse] = several
    ? COMMAND_OPTIONS.configs
    : ([...COMMAND_OPTIONS.config, undefined] as const)
  const config = new Option(flags, description)
  return command
    .addOption(parse === undefined ? config : config.argParser(parse))
    .addOption(
      new Option('--fleet <folder>', 'every position of a fleet, instead of --config').conflicts('config'),
    )
    .hook('preAction', (_program, called) => {
      const { config: file, fleet } = called.opts<{ config?: unknown; fleet?: string }>()
      if (file === undefined && fleet === undefined)
        called.error(`error: required option '${flags}' not specified, or --fleet <folder>`)
    })
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

export type NumberRange = { readonly whole?: boolean; readonly min: number; readonly max: number }

/** Any seed that survives being written as a number. */
export const ANY_SEED: NumberRange = {
  whole: true,
  min: Number.MIN_SAFE_INTEGER,
  max: Number.MAX_SAFE_INTEGER,
}

/** Reads an option's number; anything else, or out of range, is refused with what would be right. */
export function numberOption({ whole = false, min, max }: NumberRange): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    const fits =
      (whole ? Number.isSafeInteger(value) : Number.isFinite(value)) && value >= min && value <= max
    if (fits) return value
    const upTo = max === Number.MAX_SAFE_INTEGER ? `from ${min} up` : `from ${min} to ${max}`
    throw new InvalidArgumentError(`A ${whole ? 'whole number' : 'number'} ${upTo} would be right.`)
  }
}

/** Reads an option's moment in ISO 8601; anything else is refused with what would be right. */
export function timeOption(text: string): Ms {
  const at = Date.parse(text)
  if (/^\d{4}-\d\d-\d\d/.test(text) && Number.isFinite(at)) return at
  throw new InvalidArgumentError('A time like 2026-11-18T06:40:00Z would be right.')
}

/** A shipped scenario, or a file of one's own. */
export function scenarioOption(description: string): Option {
  const names = SCENARIO_NAMES.join(', ')
  return new Option('--scenario <name>', `${description}: ${names}, or the path of a .yaml file`)
    .argParser((text) => {
      if (SCENARIO_NAMES.some((name) => name === text) || /\.ya?ml$/.test(text)) return text
      throw new InvalidArgumentError(`There are ${names}, or the path of a .yaml file.`)
    })
    .default('normal')
}

/** The part of a tape that `--from` and `--to` name. */
export function windowOf({ from, to }: { readonly from?: Ms; readonly to?: Ms }): TapeWindow {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** Words with commas between them. */
export function keys(text: string): readonly string[] {
  return text.split(',').map((key) => key.trim())
}
