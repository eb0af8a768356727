/**
 * A program that holds 2,000 connections to a port and floods it: `node hostile-clients.ts PORT`. With paths behind the port, 1,500
 * connections each send four requests for them at once, again and again, and read nothing. A connection that is cut comes again.
 * Every second it prints how many connections it holds and how many answers the flood got.
 */
import { connect } from 'node:net'

const [PORT, PATHS] = [Number(process.argv[2]), process.argv.slice(3)]
const PIPELINING = 1_500
const EACH = 500
const FLOODING = 64
const AGAIN_MS = 50

const head = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n${more}\r\n`
const long = `/${'a'.repeat(14_000)}`

let [open, answers] = [0, 0]

/** Sends `first`, then `next` every 200 ms, and reads nothing unless told otherwise. */
function hold(first: string, next: string | null): void {
  const socket = connect(PORT, '127.0.0.1')
  let timer: NodeJS.Timeout | undefined
  socket.once('connect', () => {
    open += 1
    socket.pause()
    socket.write(first)
    if (next !== null) timer = setInterval(() => socket.write(next), 200)
    socket.once('close', () => (open -= 1))
  })
  socket.on('error', () => undefined)
  socket.once('close', () => {
    clearInterval(timer)
    setTimeout(() => hold(first, next), AGAIN_MS)
  })
}

/** One request after the other, as fast as they are answered. */
function flood(requests: readonly string[]): void {
  const socket = connect(PORT, '127.0.0.1')
  let sent = 0
  const next = () => socket.write(requests[sent++ % requests.length] ?? '')
  socket.once('connect', next)
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    // Answers to a flood are shorter than a segment.
    if (!chunk.toString('latin1', 0, 4).startsWith('HTTP')) return
    answers += 1
    next()
  })
  socket.once('close', () => setTimeout(() => flood(requests), AGAIN_MS))
}

function holdAndFlood(): void {
  for (let n = 0; n < EACH; n++) {
    hold(head('GET', '/metrics'), head('GET', '/metrics'))
    hold(head('POST', long, 'Content-Length: 0\r\n'), head('POST', long, 'Content-Length: 0\r\n'))
    hold('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n', 'X-A: b\r\n')
    hold(head('POST', '/api/v1/halt', 'Authorization: Bearer wrong\r\nContent-Length: 1000\r\n'), '{')
  }
  for (let n = 0; n < FLOODING; n++)
    flood([
      head('GET', '/api/v1/state'),
      head('POST', '/api/v1/halt', 'Content-Length: 0\r\n'),
      head('GET', '/api/v1/proof?nonce=0'),
      head('GET', long),
    ])
}

if (PATHS.length === 0) holdAndFlood()
else
  for (let n = 0; n < PIPELINING; n++) {
    const four = Array.from({ length: 4 }, (_, one) =>
      head('GET', PATHS[(n + one) % PATHS.length] ?? '/'),
    ).join('')
    hold(four, four)
  }
setInterval(() => {
  process.stdout.write(`open=${open} answers=${answers}\n`)
  answers = 0
}, 1_000)
