import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openMarket } from './daemon/open-market.ts'
import { TEST_ENV } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('300 half-open connections under ulimit -n 160 leave health, the kill switch and the reload working', async () => {
  const market = await openMarket()
  const daemon = spawn(
    'sh',
    ['-c', 'ulimit -n 160; exec "$0" src/main.ts run --config "$1"', process.execPath, market.config],
    { cwd: ROOT, env: { ...process.env, ...TEST_ENV }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let out = ''
  daemon.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  daemon.stderr.setEncoding('utf8').on('data', (text: string) => (out += text))
  const url = await until('the daemon listens', () => /"msg":"listening","url":"([^"]+)"/.exec(out)?.[1], {
    otherwise: () => out,
  })
  await market.quoted(60, 70)
  const sockets: Socket[] = []
  try {
    for (let n = 0; n < 300; n++) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      sockets.push(socket)
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
      socket.write('GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const post = (name: string) =>
      fetch(`${url}/api/v1/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_ENV.MIZANI_HTTP_TOKEN}` },
      })
    expect((await post('reload')).status).toBe(200)
    expect((await post('halt')).status).toBe(200)
    expect(out).not.toContain('EMFILE')
  } finally {
    for (const socket of sockets) socket.destroy()
    const ended = new Promise((resolve) => daemon.once('close', resolve))
    daemon.kill('SIGTERM')
    await ended
    await market.close()
  }
}, 60_000)
