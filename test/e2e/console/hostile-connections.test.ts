import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { afterAll, onTestFinished, test } from 'vitest'
import { askDaemonAt } from '../../../src/commands/operator/ask-daemon.ts'
import { findOperatorSocket } from '../../../src/runtime/host/operator-socket.ts'
import { contention } from '../../support/contention.ts'
import { openMarket } from '../daemon/open-market.ts'
import { endDaemons, HTTP_TOKEN } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

afterAll(endDaemons)

const CLIENTS = fileURLToPath(new URL('hostile-clients.ts', import.meta.url))
const PROMISED_MS = 5_000

test('2,000 hostile connections and a flood keep a halt with the right token from neither the port nor the socket for 5 s', async () => {
  const market = await openMarket()
  onTestFinished(market.close)
  const daemon = market.start()
  const url = await daemon.url()
  await market.quoted(60, 70)
  const clients = spawn(process.execPath, [CLIENTS, new URL(url).port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void clients.kill('SIGKILL'))
  let lines = ''
  clients.stdout.setEncoding('utf8').on('data', (text: string) => (lines += text))
  await until('the clients hold their connections for five seconds', () => lines.split('open=').length > 6)
  // The clients, other tests and the daemon share the cores.
  const roomMs = PROMISED_MS * contention()

  const socket = findOperatorSocket(market.folder.store)
  if (!socket.ok || socket.value === null) throw new Error('the daemon left no socket')
  const place = { url: 'http://127.0.0.1:1', token: HTTP_TOKEN, socket: socket.value }
  const bySocket = async () => (await askDaemonAt(place, 'POST', '/api/v1/halt', { why: 'a test' }))?.status
  const byPort = async (): Promise<number> => {
    const { statusCode, body } = await request(`${url}/api/v1/halt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${HTTP_TOKEN}`, 'content-type': 'application/json' },
      body: '{"why":"a test"}',
    })
    await body.dump()
    // A machine that is this busy may have the position's thread restarted, as the command line knows.
    return statusCode === 503 ? byPort() : statusCode
  }
  const took = async (halt: () => Promise<number | null | undefined>) => {
    const began = performance.now()
    return { status: await halt(), ms: Math.round(performance.now() - began) }
  }
  const answers: { readonly status: number | null | undefined; readonly ms: number }[] = []
  for (let n = 0; n < 3; n++) answers.push(await took(byPort), await took(bySocket))
  const isInTime = ({ status, ms }: (typeof answers)[number]) => status === 200 && ms < roomMs
  if (!answers.every(isInTime)) throw new Error(`${JSON.stringify(answers)}, room ${roomMs} ms\n${lines}`)
  clients.kill('SIGKILL')
  await until('the venue shows the position as stopped', async () => {
    const { bidBps, isActive } = market.venue.model.state.ours
    return bidBps === 500 || !isActive
  })
})
