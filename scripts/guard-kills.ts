import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { figuresOf, killAgain } from '../test/e2e/guard/measure-kills.ts'

// `npm run guard-kills -- --kills 200 [--desks 2] [--out FILE]`: kills a guarded daemon again and again, prints from kill -9 to a
// confirmed safe quote, and writes it as JSON. Each desk has a venue, a guard and a daemon of its own.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    desks: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
})
const [kills, desks] = [Number(values.kills), Number(values.desks)]
if (![kills, desks].every((count) => Number.isSafeInteger(count) && count > 0) || desks > kills) {
  process.stderr.write('--kills and --desks are whole numbers above 0, and there is a kill for each desk\n')
  process.exit(2)
}
const began = Date.now()
const times: number[] = []
const share = (desk: number) => Math.floor(kills / desks) + (desk < kills % desks ? 1 : 0)
await Promise.all(
  Array.from({ length: desks }, (_, desk) =>
    killAgain(share(desk), desk + 1, (ms) => {
      times.push(ms)
      const leftMs = ((Date.now() - began) / times.length) * (kills - times.length)
      process.stderr.write(`${times.length}/${kills} ${ms} ms, some ${Math.ceil(leftMs / 60_000)} min left\n`)
    }),
  ),
)
const text = JSON.stringify({
  ...figuresOf(times),
  desks,
  node: process.versions.node,
  timesMs: times.sort((a, b) => a - b),
})
if (values.out !== undefined) writeFileSync(values.out, `${text}\n`)
process.stdout.write(`${text}\n`)
