// Writes docs/commands.md from the command line's own help. A test fails when the committed file is not what
// this writes.
import { writeFileSync } from 'node:fs'
import { commandsReference } from './commands-reference.ts'

writeFileSync(new URL('../docs/commands.md', import.meta.url), commandsReference())
