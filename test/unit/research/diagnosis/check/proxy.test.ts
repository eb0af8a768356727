import { expect, test } from 'vitest'
import { proxyFindings } from '../../../../../src/research/diagnosis/check/sources.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'

const secret = (url: string) => ({ reveal: () => url })
const CONFIG = {
  notify: {
    telegram: { apiUrl: 'https://api.telegram.org' },
    slack: { webhookUrl: secret('https://hooks.slack.com/services/s3cret') },
    webhook: null,
  },
  alert: { escalation: [] },
  feeds: [
    { settings: { name: 'bank' }, source: { kind: 'http', url: secret('http://127.0.0.1:9/rate') } },
    { settings: { name: 'own' }, source: { kind: 'fixed' } },
  ],
  chain: { urls: [secret('https://rpc.internal/v1/s3cret')] },
  rfq: null,
  treasury: { partner: { baseUrl: 'https://partner.example' } },
} as unknown as LoadedConfig

test('check reports what goes through the proxy and what goes directly, without a secret', () => {
  const environment = { HTTPS_PROXY: 'http://desk:s3cretpass@proxy.example:3128', NO_PROXY: '.internal' }
  expect([...proxyFindings(CONFIG, environment)]).toEqual([
    {
      name: 'proxy',
      status: 'ok',
      detail:
        'through proxy.example:3128: telegram (api.telegram.org), slack (hooks.slack.com), reads of the partner API (partner.example); directly: feed bank (127.0.0.1:9), chain (rpc.internal); the venue, the guard, the store, the daemon, the signer and writes to the partner API never use it',
      hint: null,
    },
  ])
})

test('check reports nothing about a proxy where the environment names none', () => {
  expect([...proxyFindings(CONFIG, {})]).toEqual([])
})
