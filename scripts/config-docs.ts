// Writes docs/configuration.md from the schema that the daemon itself uses. A test fails when the committed
// file is not what this writes.
import { readFileSync, writeFileSync } from 'node:fs'
import { configReference } from './config-reference.ts'

const example = readFileSync(new URL('../config/live.example.yaml', import.meta.url), 'utf8')
writeFileSync(new URL('../docs/configuration.md', import.meta.url), configReference(example))
