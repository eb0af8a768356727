import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type OwnCertificate = {
  /** Holds both files; to be removed when the test is over. */
  readonly folder: string
  readonly keyFile: string
  readonly certFile: string
  /** PEM. */
  readonly key: string
  readonly cert: string
}

/** A certificate of its own for an address, made by openssl for one test: `needs('openssl')`. */
export function ownCertificate(address = '127.0.0.1'): OwnCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-cert-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', `/CN=${address}`, '-addext', `subjectAltName=IP:${address}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', keyFile, '-out', certFile], {
    stdio: 'ignore',
  })
  return {
    folder,
    keyFile,
    certFile,
    key: readFileSync(keyFile, 'utf8'),
    cert: readFileSync(certFile, 'utf8'),
  }
}
