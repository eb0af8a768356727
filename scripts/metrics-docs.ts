// Writes docs/metrics.md from the registry that the daemon itself uses. A test fails when the committed file
// is not what this writes.
import { writeFileSync } from 'node:fs'
import { metricsReference } from './metrics-reference.ts'

writeFileSync(new URL('../docs/metrics.md', import.meta.url), metricsReference())
