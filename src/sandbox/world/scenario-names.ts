/** The stories that the pretend world can tell. What each one is made of stands in `scenarios.ts`. */
export const SCENARIOS = [
  'calm',
  'normal',
  'devaluation',
  'appreciation',
  'stale-jump',
  'toxic-taker',
  'undercut',
  'payroll',
  'weekend',
  'stablecoin-basis',
  'fat-finger-mid',
  'api-outage',
] as const

export type ScenarioName = (typeof SCENARIOS)[number]
