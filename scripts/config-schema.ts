// Writes config/mizani.schema.json from the schema that the daemon itself uses. A test fails when the
// committed file is not what this writes.
import { writeFileSync } from 'node:fs'
import { configJsonSchema } from '../src/config/schema/json-schema.ts'

const file = new URL('../config/mizani.schema.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
