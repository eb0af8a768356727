// Writes the pages of the shipped strategies from their headers and schemas, and their results from docs/tournament.json:
// rule-, model- and wrapping-strategies.md, tournament-results.md and the tables of strategies.md and README. A test fails
// when a committed file is not what this writes.
import { readFileSync, writeFileSync } from 'node:fs'
import { strategyPages } from './strategies-reference.ts'
import { LANDING, withStandings } from './tournament-section.ts'

const docs = new URL('../docs/', import.meta.url)
for (const [name, text] of await strategyPages()) writeFileSync(new URL(name, docs), text)
const choice = new URL('strategies.md', docs)
writeFileSync(choice, withStandings(readFileSync(choice, 'utf8')))
const readme = new URL('../README.md', docs)
writeFileSync(readme, withStandings(readFileSync(readme, 'utf8'), LANDING))
