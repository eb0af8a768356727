import { writeFileSync } from 'node:fs'
import { Client } from 'pg'
import { endDaemons } from '../test/e2e/daemon/running-daemon.ts'
import { figuresOf, handOverAgain, type Handover } from '../test/e2e/standby/measure-handovers.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { optionsOr } from './options-or-help.ts'

const HELP = `npm run handover-kills -- [options]

Two daemons of a position on one PostgreSQL: the one that holds it is killed, ended, stopped, or cut off from the database in turn. Prints the
times until the next confirmed quote as JSON. Needs the Debian package postgresql.

  --kills N    so many hand-overs, of all kinds in turn (200)
  --desks N    so many at a time (1)
  --seed N     of the faults and their moments (1)
  --out FILE   also writes the result there; scripts/reliability-page.ts keeps it

Exit codes: 0 measured; 1 a fill was lost or booked twice, or two daemons wrote at once; 2 the options are wrong.
`

const values = optionsOr(HELP, {
  kills: { type: 'string', default: '200' },
  desks: { type: 'string', default: '1' },
  seed: { type: 'string', default: '1' },
  out: { type: 'string' },
})
const [kills, desks, seed] = [Number(values.kills), Number(values.desks), Number(values.seed)]
if (![kills, desks, seed].every((count) => Number.isSafeInteger(count) && count > 0) || desks > kills) {
  process.stderr.write(
    '--kills, --desks and --seed are whole numbers above 0, and there is a kill for each desk\n',
  )
  process.exit(2)
}
const began = Date.now()
const server = await startPostgres()
const done: Handover[] = []
const share = (desk: number) => Math.floor(kills / desks) + (desk < kills % desks ? 1 : 0)
try {
  await Promise.all(
    Array.from({ length: desks }, (_, desk) =>
      handOverAgain(
        server.url,
        { rounds: share(desk), seed: seed + desk, name: `desk-${desk + 1}` },
        (one) => {
          done.push(one)
          const leftMs = ((Date.now() - began) / done.length) * (kills - done.length)
          process.stderr.write(
            `${done.length}/${kills} ${one.kind} ${Math.round(one.ms)} ms, some ${Math.ceil(leftMs / 60_000)} min left\n`,
          )
        },
      ),
    ),
  )
  const text = JSON.stringify({
    ...figuresOf(done),
    desks,
    seed,
    node: process.versions.node,
    postgres: await postgresVersion(server.url),
    timesMs: done.map(({ kind, ms }) => [kind, Math.round(ms)]),
  })
  if (values.out !== undefined) writeFileSync(values.out, `${text}\n`)
  process.stdout.write(`${text}\n`)
} finally {
  await endDaemons()
  server.stop()
}

async function postgresVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
  await client.end()
  return rows[0]?.server_version ?? 'unknown'
}
