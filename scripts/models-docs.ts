// Writes docs/models.md from the models of `mizani model`. A test fails when the committed file is not what this
// writes.
import { writeFileSync } from 'node:fs'
import { modelsReference } from './models-reference.ts'

writeFileSync(new URL('../docs/models.md', import.meta.url), modelsReference())
