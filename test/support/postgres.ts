import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Surroundings } from './needs.ts'

/** A PostgreSQL server of a test's own. */
export type PostgresServer = {
  /** Of an empty database. */
  readonly url: string
  /** As an administrator would: connections break, and it is away for a moment. */
  readonly restart: () => void
  readonly stop: () => void
}

/** Where Debian keeps the server's programs, newest version first; they are on nobody's search path. */
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin').sort().reverse()

/** For `needs('initdb', postgresSurroundings())`. */
export function postgresSurroundings(): Surroundings {
  return {
    searchPath: [...PROGRAMS, process.env['PATH'] ?? ''].join(delimiter),
    ci: process.env['CI'] === 'true',
    say: (line) => void process.stderr.write(`${line}\n`),
  }
}

/** Starts a server in a folder and on a port of its own; everything is gone after `stop` or the process's end. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-postgres-'))
  const user = serverUser()
  chownSync(folder, user.uid, user.gid)
  chmodSync(folder, 0o700)
  const data = join(folder, 'data')
  const port = await freePort()
  const run = (program: string, words: readonly string[]): void => {
    const [bin = ''] = PROGRAMS
    // A server that inherited our pipes would keep them open for ever.
    execFileSync(join(bin, program), [...words], { ...user, cwd: folder, stdio: 'ignore' })
  }
  run('initdb', ['-D', data, '-U', 'mizani', '--auth=trust', '--no-sync', '--no-instructions', '-E', 'UTF8'])
  const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c fsync=off`
  run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start'])
  let stopped = false
  const stop = (): void => {
    if (stopped) return
    stopped = true
    run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const restart = (): void => run('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'restart'])
  return { restart, url: `postgres://mizani@127.0.0.1:${port}/postgres`, stop }
}

/** The server refuses to run as root; Debian's package brings a user for it. */
function serverUser(): { readonly uid: number; readonly gid: number } {
  const { uid, gid } = userInfo()
  if (uid !== 0) return { uid, gid }
  const idOf = (which: '-u' | '-g') => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
