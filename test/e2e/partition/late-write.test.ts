import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { type Cable, cannotLayCable, layCable } from '../../support/cable.ts'
import { needs } from '../../support/needs.ts'

// A real partition: the client lives in a network of its own, whose cable is pulled and put back.

const CHILD = fileURLToPath(new URL('writing-child.ts', import.meta.url))
let child: ChildProcess | null = null
let server: Server | null = null
let cable: Cable | null = null

afterEach(() => {
  child?.kill('SIGKILL')
  server?.close()
  server?.closeAllConnections()
  cable?.remove()
})

/** Whether the PATCH of the child arrived, 4 s after a partition that it fell into; and what the child saw. */
async function writtenIntoPartition(how: 'reset' | 'plain') {
  const methods: string[] = []
  server = createServer((request, response) => {
    methods.push(request.method ?? '')
    response.end('{}')
  })
  const { space, here, cut, heal } = (cable = layCable())
  await new Promise<void>((resolve) => server?.listen(0, here, resolve))
  const origin = `http://${here}:${(server.address() as AddressInfo).port}`
  child = spawn('ip', ['netns', 'exec', space, process.execPath, CHILD, origin, how], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('no pipes')
  const said = async () => String((await once(stdout, 'data'))[0]).trim()
  expect(await said()).toBe('ready')
  cut()
  stdin.write('go\n')
  const outcome = await said()
  await pause(300)
  heal()
  await pause(4_000)
  return { outcome, arrived: methods.includes('PATCH') }
}

describe.skipIf(needs('ip') || cannotLayCable())('a write that timed out in a partition', () => {
  test('does not reach the venue when the partition ends', { timeout: 20_000 }, async () => {
    expect(await writtenIntoPartition('reset')).toEqual({ outcome: 'timeout true', arrived: false })
  })

  test('does reach it from a client that only closes its connection', { timeout: 20_000 }, async () => {
    expect(await writtenIntoPartition('plain')).toEqual({ outcome: 'timeout true', arrived: true })
  })
})
