// Writes the JSON Schemas in config/ from the schema that the daemon itself uses. A test fails when a committed file
// is not what this writes.
import { writeFileSync } from 'node:fs'
import {
  configJsonSchema,
  fleetDefaultsJsonSchema,
  fleetPositionJsonSchema,
} from '../src/daemon/config/schema/json-schema.ts'
import { scenarioJsonSchema } from '../src/research/scenarios/scenario.ts'
import { tournamentJsonSchema } from '../src/research/tournament/entrant.ts'

const SCHEMAS = {
  'mizani.schema.json': configJsonSchema(),
  'fleet-defaults.schema.json': fleetDefaultsJsonSchema(),
  'fleet-position.schema.json': fleetPositionJsonSchema(),
  'tournament.schema.json': tournamentJsonSchema(),
  'scenario.schema.json': scenarioJsonSchema(),
}

for (const [name, schema] of Object.entries(SCHEMAS))
  writeFileSync(new URL(`../config/${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`)
