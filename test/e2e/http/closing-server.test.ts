import { rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { openHttpClient } from '../../../src/base/http/client.ts'
import { needs } from '../../support/needs.ts'
import { ownCertificate } from '../../support/own-certificate.ts'

const GET = { method: 'GET', path: '/', headers: {}, body: null } as const

test.skipIf(needs('openssl')).each([0, 4_000])(
  'a server under TLS that closes after each answer answers every request, with connections kept for %d ms',
  async (keepAliveMs) => {
    const own = ownCertificate()
    setDefaultCACertificates([own.cert])
    const server = createServer({ key: own.key, cert: own.cert }, (_request, response) => {
      response.writeHead(200, { connection: 'close' }).end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const http = openHttpClient({ connections: 1, keepAliveMs, timeoutMs: 5_000, maxBytes: 100 })
    onTestFinished(async () => {
      await http.close()
      server.close()
      rmSync(own.folder, { recursive: true })
    })
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (let at = 0; at < 3; at += 1)
      expect(await http.send({ ...GET, origin })).toMatchObject({ ok: true, value: { status: 200 } })
  },
)
