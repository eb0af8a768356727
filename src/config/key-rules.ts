import type { PathStep } from './config-problem.ts'
import type { KeyRules } from './read-yaml.ts'

const SECRETS =
  /^(venue\.apiKey|http\.(token|readToken|tokens\.\d+\.token)|rfq\.signer\.(password|envKey)|notify\.(telegram\.botToken|slack\.webhookUrl|webhook\.(url|hmacKey)))$/
const MAYBE_SECRETS = /^rfq\.rpc\.urls\.\d+$/
const MONEY =
  /^(risk\.(maxLossTzs|maxDrawdownTzs|maxVolumePerDayUsd)|risk\.dust\.[^/]+|inventory\.limits\.[^/]+\.(min|max)|withdraw\.(maxPerDay\.[^/]+|approvalAboveUsd)|rfq\.approve\.[^/]+)$/

/** The keys of the configuration that are or may be secrets, and those whose digits count exactly. */
export const KEY_RULES: KeyRules = {
  isSecret: (path: readonly PathStep[]) => SECRETS.test(path.join('.')),
  mayBeSecret: (path: readonly PathStep[]) => MAYBE_SECRETS.test(path.join('.')),
  isMoney: (path: readonly PathStep[]) => MONEY.test(path.join('.')),
}
