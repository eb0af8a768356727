import type { Finding } from './finding.ts'
import type { RiskInput } from './risk-input.ts'
import type { RiskSettings } from './risk-settings.ts'
import { SIDES } from '../money/side.ts'

/** Too many fills, too much volume, too many errors in a row. */
export function flowRules(input: RiskInput, settings: RiskSettings, out: Finding[]): void {
  if (settings.maxFillsPerMinute !== null && input.fillsLastMinute > settings.maxFillsPerMinute) {
    out.push({
      rule: 'fills-per-minute',
      effect: 'reduce',
      limit: `${settings.maxFillsPerMinute}`,
      actual: `${input.fillsLastMinute}`,
      message: 'more fills in a minute than risk.maxFillsPerMinute; lifts when the minute has passed',
    })
  }
  if (settings.maxVolumePerDayUsd !== null) {
    for (const side of SIDES) {
      if (input.volumeLastDayUsd[side] <= settings.maxVolumePerDayUsd) continue
      out.push({
        rule: 'volume-per-day',
        effect: `${side}-off`,
        limit: `${settings.maxVolumePerDayUsd / 10n ** 18n} USD`,
        actual: `${input.volumeLastDayUsd[side] / 10n ** 18n} USD`,
        message: `the ${side} traded more than risk.maxVolumePerDayUsd in 24 hours`,
      })
    }
  }
  if (input.errorCycles >= settings.errorCyclesThreshold) {
    out.push({
      rule: 'error-cycles',
      effect: 'safe',
      limit: `${settings.errorCyclesThreshold}`,
      actual: `${input.errorCycles}`,
      message: 'consecutive requests failed; lifts when the venue answers again',
    })
  }
}
