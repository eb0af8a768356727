import { isPlainAway, unverifiedProblem } from '../../../base/outgoing.ts'
import type { Env } from '../source/secret.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { PathStep, Finding } from '../source/problem.ts'
import type { LoadedConfig } from './loaded-config.ts'
import type { ConfigFile } from '../schema/schema.ts'

/**
 * Requires that requests to the venue, the partner API, chain endpoints and a remote signer are encrypted or stay on
 * this machine, because they contain a key or decide about money. `allowPlainHttp` lifts this for its own section,
 * for networks that are otherwise private. Refuses, in every mode, a variable that makes Node accept any certificate.
 */
export function plainHttp(
  { venue, rfq: section, chain: watched, treasury }: ConfigFile,
  { rfq, chain }: Pick<LoadedConfig, 'rfq' | 'chain'>,
  env: Env,
): Result<null, readonly Finding[]> {
  const findings: Finding[] = []
  const check = (
    path: PathStep[],
    url: string | null | undefined,
    allows: PathStep[],
    isAllowed: boolean,
  ) => {
    if (isAllowed || typeof url !== 'string' || !isPlainAway(url)) return
    const message = `plain http away from this machine: everybody on the way reads and changes it; use https://, or set ${allows.join('.')}.allowPlainHttp: true where the network itself is private`
    findings.push({ path, at: 'value', message })
  }
  check(['venue', 'baseUrl'], venue.baseUrl, ['venue'], venue.allowPlainHttp)
  check(['venue', 'publicUrl'], venue.publicUrl, ['venue'], venue.allowPlainHttp)
  if (section !== null) {
    const { rpc, signer } = section
    rfq?.rpc.urls.forEach((url, index) =>
      check(['rfq', 'rpc', 'urls', index], url.reveal(), ['rfq', 'rpc'], rpc.allowPlainHttp),
    )
    check(['rfq', 'signer', 'web3signer'], signer.web3signer, ['rfq', 'signer'], signer.allowPlainHttp)
  }
  chain?.urls.forEach((url, index) =>
    check(['chain', 'urls', index], url.reveal(), ['chain'], watched?.allowPlainHttp === true),
  )
  const { baseUrl, allowPlainHttp } = treasury?.partner ?? {}
  check(['treasury', 'partner', 'baseUrl'], baseUrl, ['treasury', 'partner'], allowPlainHttp === true)
  const unverified = unverifiedProblem(env)
  if (unverified !== null) findings.push({ path: ['venue', 'baseUrl'], at: 'value', message: unverified })
  return findings.length === 0 ? ok(null) : err(findings)
}

/** Refuses an https proxy that cannot be used. Loads the HTTP client, which work without a venue does not need. */
export async function checkProxy(env: Env): Promise<Result<null, readonly Finding[]>> {
  const { proxyProblem } = await import('../../../base/http/proxy.ts')
  const message = proxyProblem(env)
  return message === null ? ok(null) : err([{ path: [], at: 'value', message }])
}
