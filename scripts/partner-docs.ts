// Writes docs/partner-api.md from the endpoints, their commands, files and tests. A test fails when the committed file is
// not what this writes.
import { writeFileSync } from 'node:fs'
import { partnerReference } from './partner-reference.ts'

writeFileSync(new URL('../docs/partner-api.md', import.meta.url), partnerReference())
