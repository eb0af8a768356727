import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram } from '../../src/cli/program.ts'
import { captured } from '../support/captured.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-backtest-custody-'))

const PLAIN = readFileSync(new URL('../../config/backtest.yaml', import.meta.url), 'utf8')
const WEEK = new URL('../../examples/week', import.meta.url).pathname
const CUSTODY = `
rfq:
  chainId: 8453
  maker: '0x00000000000000000000000000000000000000aa'
  tokens:
    NTZS: '0x0000000000000000000000000000000000000001'
    USDC: '0x0000000000000000000000000000000000000002'
  rpc: { urls: [http://127.0.0.1:1] }
  signer: { keystore: ./no-such-file.json, password: !file ./no-such-password }
`

async function backtest(name: string, yaml: string) {
  const file = join(folder, name)
  writeFileSync(file, yaml)
  const window = ['--from', '2026-09-08T00:00:00Z', '--to', '2026-09-08T06:00:00Z']
  const ladder = ['--strategy', 'rfq-ladder', '--tape', WEEK]
  const words = ['backtest', '--config', file, '--json', ...ladder, ...window]
  const { out, exitCode } = await captured(async () =>
    (await buildProgram('backtest')).parseAsync(words, { from: 'user' }),
  )
  return { result: JSON.parse(out), exitCode }
}

test('a configuration with self-custody runs in a backtest as one with pooled capital, and the result says so', async () => {
  const custody = await backtest('custody.yaml', PLAIN + CUSTODY)
  expect(custody.exitCode).toBe(0)
  expect(custody.result.fills).toBeGreaterThan(10)
  expect(custody.result.warnings[0]).toContain('ignores rfq')
  const plain = await backtest('plain.yaml', PLAIN)
  expect(plain.result.warnings).not.toContain(custody.result.warnings[0])
  expect(custody.result.digest).toBe(plain.result.digest)
})
