// Writes the table of parameters in docs/scenarios.md from the schema and config/scenarios. A test fails when the committed
// file is not what this writes.
import { readFileSync, writeFileSync } from 'node:fs'
import { withScenarioReference } from './scenarios-reference.ts'

const page = new URL('../docs/scenarios.md', import.meta.url)
writeFileSync(page, withScenarioReference(readFileSync(page, 'utf8')))
