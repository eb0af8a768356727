// Writes examples/week, the tape that comes with the repository. A test fails when the committed tape has
// other rows than this writes.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeTape } from '../src/store/tape/writer/write-tape.ts'
import { exampleWeek } from './example-week.ts'

const folder = fileURLToPath(new URL('../examples/week', import.meta.url))
const rows = await exampleWeek()
rmSync(folder, { recursive: true, force: true })
const written = await writeTape(folder, rows)
if (!written.ok) throw new Error(written.error)
process.stdout.write(
  `${written.value.rows} rows, ${written.value.files} files, ${written.value.bytes} bytes\n`,
)
