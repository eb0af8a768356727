import type { PathStep } from './config-problem.ts'
import type { KeyRules } from './read-yaml.ts'

const SECRETS =
  /^(venue\.apiKey|http\.(token|readToken|tokens\.\d+\.token)|rfq\.signer\.(password|envKey)|notify\.(telegram\.botToken|slack\.webhookUrl|webhook\.(url|hmacKey))|feeds\.\d+\.http\.headers\.[^/]+)$/
const MAYBE_SECRETS = /^(rfq\.rpc\.urls\.\d+|feeds\.\d+\.http\.url)$/
const MONEY =
  /^(risk\.(maxLossTzs|maxDrawdownTzs|maxVolumePerDayUsd)|risk\.dust\.[^/]+|inventory\.limits\.[^/]+\.(min|max)|withdraw\.(maxPerDay\.[^/]+|approvalAboveUsd)|rfq\.approve\.[^/]+|feeds\.\d+\.(band\.(min|max)|fixed\.mid))$/

/** The keys of the configuration that are or may be secrets, and those whose digits count exactly. */
export const KEY_RULES: KeyRules = {
  isSecret: (path: readonly PathStep[]) => SECRETS.test(path.join('.')),
  mayBeSecret: (path: readonly PathStep[]) => MAYBE_SECRETS.test(path.join('.')),
  isMoney: (path: readonly PathStep[]) => MONEY.test(path.join('.')),
}
