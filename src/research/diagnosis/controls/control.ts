import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { FLEET_USD_DECIMALS } from '../../../daemon/config/schema/fleet.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'

/** A control as regulators list them. The rules bind firms rather than software: they are the yardstick. */
export type Control = {
  readonly name: string
  readonly when: 'pre-trade' | 'post-trade' | 'governance'
  /** Articles of RTS 6 (Regulation (EU) 2017/589) and paragraphs of SEC rule 15c3-5. */
  readonly rules: readonly string[]
  /** The current setting; null = not configured. */
  readonly value: (config: LoadedConfig) => string | null
  /** Reading its settings needs a secret. */
  readonly besideSecrets?: true
  /** The file and title of the test that proves it; null = mizani lacks this control. */
  readonly test: readonly [file: string, title: string] | null
  /** The drills that exercise it. */
  readonly drills: readonly string[]
}

/** A control in the list of its kind; `drills` is absent if no drill exercises it. */
export type ListedControl = Omit<Control, 'when' | 'drills'> & Partial<Pick<Control, 'drills'>>

/** The test of most rules. */
export const RULES = 'test/unit/core/risk/rules.test.ts'

/** USD with 18 decimals, TZS with 36 and basis points for the report; null = not set. */
export const ofUsd = (value: bigint | null | undefined) =>
  value === null || value === undefined ? null : `${formatDecimalText(value, 18)} USD`
export const ofFleetUsd = (value: bigint | null) =>
  value === null ? null : `${formatDecimalText(value, FLEET_USD_DECIMALS)} USD`
export const ofTzs = (value: bigint | null) => (value === null ? null : `${formatDecimalText(value, 36)} TZS`)
export const ofBps = (value: number | null | undefined) =>
  value === null || value === undefined ? null : `${value} bps`
/** Returns the settings that have a value, each with its name. */
export const listed = (
  values: Readonly<Record<string, string | number | null | undefined>>,
): string | null => {
  const set = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return set.length === 0 ? null : set.map(([name, value]) => `${name} ${value}`).join(', ')
}
