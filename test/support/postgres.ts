import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './free-port.ts'
import type { Surroundings } from './needs.ts'

/** A PostgreSQL server of a test's own. */
export type PostgresServer = {
  /** Of an empty database. */
  readonly url: string
  /** As an administrator would: connections break, and it is away for a moment. */
  readonly restart: () => void
  /** Freezes all its processes: connections stay, and nothing answers until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
  /** Its own, with the data. */
  readonly folder: string
  readonly stop: () => void
}

/** Where Debian keeps the server's programs, newest version first; they are on no one's search path. */
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin').sort().reverse()

/** For `needs('initdb', postgresSurroundings())`. */
export function postgresSurroundings(): Surroundings {
  return {
    searchPath: [...PROGRAMS, process.env['PATH'] ?? ''].join(delimiter),
    ci: process.env['CI'] === 'true',
    say: (line) => void process.stderr.write(`${line}\n`),
  }
}

/** A server that was copied from another one, and reads until it is promoted. */
export type PostgresReplica = PostgresServer & { readonly promote: () => void }

const NETWORK = '-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c mizani.may_lose=on'

/**
 * Starts a server in a folder and on a port of its own; everything is gone after `stop` or the process's end. Without
 * `keepsOnDisk` a crash of the machine would lose what it acknowledged: tests need not wait for the disk.
 */
export async function startPostgres({ keepsOnDisk = false } = {}): Promise<PostgresServer> {
  const folder = newFolder()
  const data = join(folder, 'data')
  runAsServer(folder, 'initdb', [
    '-D',
    data,
    '-U',
    'mizani',
    '--auth=trust',
    '--no-sync',
    '--no-instructions',
    '-E',
    'UTF8',
  ])
  return serverIn(folder, await freePort(), keepsOnDisk ? '-c fsync=on' : '')
}

/**
 * Copies a server. The copy follows the first one's writes, or lags: it then knows nothing of what is written after this.
 */
export async function startReplica(
  { url }: Pick<PostgresServer, 'url'>,
  { lags }: { readonly lags: boolean },
): Promise<PostgresReplica> {
  const { hostname, port, username } = new URL(url)
  const folder = newFolder()
  const data = join(folder, 'data')
  const from = ['-h', hostname, '-p', port, '-U', username]
  runAsServer(folder, 'pg_basebackup', ['-D', data, ...from, '-R', '-c', 'fast', '--no-sync'])
  const server = serverIn(folder, await freePort(), lags ? "-c primary_conninfo=''" : '')
  return { ...server, promote: () => runAsServer(folder, 'pg_ctl', ['-D', data, '-w', 'promote']) }
}

/** A folder that belongs to the server's user. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-postgres-'))
  const user = serverUser()
  chownSync(folder, user.uid, user.gid)
  chmodSync(folder, 0o700)
  return folder
}

/** Runs a program that Debian installs beside the server, as its user. */
export function runAsServer(folder: string, program: string, words: readonly string[]): void {
  const [bin = ''] = PROGRAMS
  // A server that inherited our pipes would keep them open indefinitely.
  execFileSync(join(bin, program), [...words], { ...serverUser(), cwd: folder, stdio: 'ignore' })
}

function serverIn(folder: string, port: number, more = ''): PostgresServer {
  const data = join(folder, 'data')
  const control = (words: readonly string[]): void =>
    runAsServer(folder, 'pg_ctl', ['-D', data, '-w', ...words])
  control(['-l', join(folder, 'log'), '-o', `${NETWORK} -c port=${port} ${more}`, 'start'])
  let stopped = false
  const stop = (): void => {
    if (stopped) return
    stopped = true
    control(['-m', 'immediate', 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const signal = (name: 'STOP' | 'CONT'): void => {
    const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', pid], { encoding: 'utf8' })
    for (const each of [pid, ...children.trim().split(/\s+/)]) {
      try {
        process.kill(Number(each), `SIG${name}`)
      } catch (error) {
        // A connection that ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }
  return {
    url: `postgres://mizani@127.0.0.1:${port}/postgres`,
    folder,
    restart: () => control(['-m', 'fast', 'restart']),
    pause: () => signal('STOP'),
    resume: () => signal('CONT'),
    stop,
  }
}

/** The server refuses to run as root; Debian's package brings a user for it. */
export function serverUser(): { readonly uid: number; readonly gid: number } {
  const { uid, gid } = userInfo()
  if (uid !== 0) return { uid, gid }
  const idOf = (which: '-u' | '-g') => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
