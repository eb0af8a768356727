import { Option } from 'commander'
import { SCENARIOS } from '../sandbox/world/scenario-names.ts'

export function scenarioOption(description: string): Option {
  return new Option('--scenario <name>', description).choices(SCENARIOS).default('normal')
}
