// Writes docs/strategies.md from the strategies' own headers and schemas. A test fails when the committed file
// is not what this writes.
import { writeFileSync } from 'node:fs'
import { strategiesReference } from './strategies-reference.ts'

writeFileSync(new URL('../docs/strategies.md', import.meta.url), await strategiesReference())
