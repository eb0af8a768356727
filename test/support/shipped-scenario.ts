import { readScenarios } from '../../src/research/jobs/read-scenarios.ts'
import {
  changedScenario,
  type Scenario,
  type ScenarioChanges,
} from '../../src/research/scenarios/scenario.ts'

/** A scenario of config/scenarios, with changes where a test needs another one. */
export function shippedScenario(name: string, changes: ScenarioChanges = {}): Scenario {
  const read = readScenarios([name], 'config/tournament.yaml')
  if (!read.ok || read.value[0] === undefined) throw new Error(read.ok ? 'none' : read.error)
  return changedScenario(name, read.value[0], changes)
}
