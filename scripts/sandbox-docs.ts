// Writes the table of faults in docs/sandbox.md. A test fails when the committed file is not what this writes.
import { readFileSync, writeFileSync } from 'node:fs'
import { withFaultTable } from './sandbox-reference.ts'

const page = new URL('../docs/sandbox.md', import.meta.url)
writeFileSync(page, withFaultTable(readFileSync(page, 'utf8')))
