// Writes docs/configuration.md from the schema that the daemon itself uses. A test fails when the committed
// file is not what this writes.
import { readFileSync, writeFileSync } from 'node:fs'
import { configReference } from './config-reference.ts'

const examples = ['self-custody.example.yaml', 'live.example.yaml'].map((name) =>
  readFileSync(new URL(`../config/${name}`, import.meta.url), 'utf8'),
)
writeFileSync(new URL('../docs/configuration.md', import.meta.url), configReference(examples))
