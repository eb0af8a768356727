import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { freshFolder } from '../../unit/research/close/close-fixture.ts'

const AUTHORITY = `[tsa]
default_tsa = own
[own]
serial = serial
crypto_device = builtin
signer_cert = ca.pem
signer_key = key.pem
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
[req]
distinguished_name = name
x509_extensions = stamps
prompt = no
[name]
CN = An authority of a test
[stamps]
extendedKeyUsage = critical,timeStamping
keyUsage = critical,digitalSignature
`

/** A time-stamping authority of OpenSSL's in a folder. */
export function openAuthority(folder = freshFolder()) {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, 'tsa.cnf'), AUTHORITY)
  writeFileSync(join(folder, 'serial'), '01')
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-config',
    'tsa.cnf',
    '-keyout',
    'key.pem',
    '-out',
    'ca.pem',
  )
  return {
    folder,
    openssl,
    certificate: readFileSync(join(folder, 'ca.pem')),
    query(message: Uint8Array): Buffer {
      writeFileSync(join(folder, 'message'), message)
      openssl('ts', '-query', '-data', 'message', '-sha256', '-cert', '-out', 'asked.tsq')
      return readFileSync(join(folder, 'asked.tsq'))
    },
    answer(query: Buffer): Buffer {
      writeFileSync(join(folder, 'q.tsq'), query)
      openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'q.tsq', '-out', 'r.tsr')
      return readFileSync(join(folder, 'r.tsr'))
    },
  }
}

/** An authority's address; the server ends with the test. */
export async function serveAuthority(
  answer: (body: Buffer) => { status: number; body: Buffer | string },
): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { status, body } = answer(Buffer.concat(chunks))
      response.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`
}
