import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'

// A real partition: the client lives in a network of its own, whose cable is pulled and put back.

const CHILD = fileURLToPath(new URL('writing-child.ts', import.meta.url))
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })
/** Names and addresses of its own, so that two runs on one machine do not meet. */
const id = process.pid % 60_000
const [space, outer, inner] = [`mzn${id}`, `mzo${id}`, `mzi${id}`]
const net = `10.${200 + (id >> 14)}.${(id >> 6) & 255}`
const first = (id & 63) * 4
const [here, there] = [`${net}.${first + 1}`, `${net}.${first + 2}`]

let child: ChildProcess | null = null
let server: Server | null = null

afterEach(() => {
  child?.kill('SIGKILL')
  server?.close()
  server?.closeAllConnections()
  // The other end of the cable goes with it.
  ip('link', 'del', outer)
  ip('netns', 'del', space)
})

/** Whether the PATCH of the child arrived, 4 s after a partition that it fell into; and what the child saw. */
async function writtenIntoPartition(how: 'reset' | 'plain') {
  const methods: string[] = []
  server = createServer((request, response) => {
    methods.push(request.method ?? '')
    response.end('{}')
  })
  ip('netns', 'add', space)
  ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', space)
  ip('addr', 'add', `${here}/30`, 'dev', outer)
  ip('link', 'set', outer, 'up')
  ip('-n', space, 'addr', 'add', `${there}/30`, 'dev', inner)
  ip('-n', space, 'link', 'set', inner, 'up')
  // Its neighbour is known for good: packets get lost on the way, and do not wait here for an address.
  const [cable] = JSON.parse(String(ip('-j', 'link', 'show', outer))) as [{ readonly address: string }]
  ip('-n', space, 'neigh', 'replace', here, 'lladdr', cable.address, 'dev', inner, 'nud', 'permanent')
  await new Promise<void>((resolve) => server?.listen(0, here, resolve))
  const origin = `http://${here}:${(server.address() as AddressInfo).port}`
  child = spawn('ip', ['netns', 'exec', space, process.execPath, CHILD, origin, how], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('no pipes')
  const said = async () => String((await once(stdout, 'data'))[0]).trim()
  expect(await said()).toBe('ready')
  ip('link', 'set', outer, 'down')
  stdin.write('go\n')
  const outcome = await said()
  await pause(300)
  ip('link', 'set', outer, 'up')
  await pause(4_000)
  return { outcome, arrived: methods.includes('PATCH') }
}

const isRoot = process.getuid?.() === 0
if (!isRoot) process.stderr.write('skipped: only root makes networks\n')

describe.skipIf(!isRoot || needs('ip'))('a write that timed out in a partition', () => {
  test('does not reach the venue when the partition ends', { timeout: 20_000 }, async () => {
    expect(await writtenIntoPartition('reset')).toEqual({ outcome: 'timeout true', arrived: false })
  })

  test('does reach it from a client that only closes its connection', { timeout: 20_000 }, async () => {
    expect(await writtenIntoPartition('plain')).toEqual({ outcome: 'timeout true', arrived: true })
  })
})
