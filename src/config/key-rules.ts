import type { PathStep } from './config-problem.ts'
import type { KeyRules } from './read-yaml.ts'

const SECRETS = /^(venue\.apiKey|http\.token)$/
const MONEY =
  /^(risk\.(maxLossTzs|maxDrawdownTzs|maxVolumePerDayUsd)|risk\.dust\.[^/]+|inventory\.limits\.[^/]+\.(min|max)|withdraw\.maxPerDay\.[^/]+)$/

/** The keys of the configuration that are secrets, and those whose digits count exactly. */
export const KEY_RULES: KeyRules = {
  isSecret: (path: readonly PathStep[]) => SECRETS.test(path.join('.')),
  isMoney: (path: readonly PathStep[]) => MONEY.test(path.join('.')),
}
