import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import type { Surroundings } from './needs.ts'
import { newFolder, postgresSurroundings, type PostgresServer, serverUser } from './postgres.ts'

/** A pool between clients and a server. */
export type Bouncer = { readonly url: string; readonly stop: () => Promise<void> }

const FOLDER = '/usr/sbin'

/** For `needs('pgbouncer', bouncerSurroundings())`: Debian keeps it where ordinary users do not look. */
export function bouncerSurroundings(): Surroundings {
  const surroundings = postgresSurroundings()
  return { ...surroundings, searchPath: [FOLDER, surroundings.searchPath].join(delimiter) }
}

/**
 * Starts a pool that is as unkind as pools are: it has few connections, and closes each after a second. In transaction
 * mode two transactions of a client may have different ones.
 */
export async function startBouncer(
  server: PostgresServer,
  mode: 'session' | 'transaction',
): Promise<Bouncer> {
  const folder = newFolder()
  const { uid, gid } = serverUser()
  const { hostname, port: serverPort, username, pathname } = new URL(server.url)
  const port = await freePort()
  const database = pathname.slice(1)
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `${database} = host=${hostname} port=${serverPort} user=${username} dbname=${database}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${mode === 'session' ? 20 : 3}`,
    'server_lifetime = 1',
    `logfile = ${join(folder, 'log')}`,
  ]
  writeFileSync(file, `${settings.join('\n')}\n`)
  chownSync(file, uid, gid)
  const program = existsSync(join(FOLDER, 'pgbouncer')) ? join(FOLDER, 'pgbouncer') : 'pgbouncer'
  const child = spawn(program, [file], { uid, gid, cwd: folder, stdio: 'ignore' })
  const ended = once(child, 'exit')
  process.once('exit', () => child.kill('SIGKILL'))
  await listening(port)
  return {
    url: `postgres://${username}@127.0.0.1:${port}/${database}`,
    async stop() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const came = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      pause(1_000, false),
    ])
    socket.destroy()
    if (came) return
    await pause(50)
  }
  throw new Error(`the pool does not listen on port ${port}`)
}
