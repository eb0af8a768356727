import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test.skipIf(needs('promtool'))(
  'promtool accepts the Prometheus configuration of compose.yaml, with its rules',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'mizani-prometheus-'))
    const config = readFileSync(join(root, 'deploy/prometheus/prometheus.yaml'), 'utf8')
      .replace('/etc/prometheus/rules', join(root, 'grafana/alerts'))
      .replaceAll('/run/secrets', folder)
    writeFileSync(join(folder, 'http_read_token'), 'token')
    writeFileSync(join(folder, 'prometheus.yaml'), config)
    const output = execFileSync('promtool', ['check', 'config', join(folder, 'prometheus.yaml')], {
      encoding: 'utf8',
    })
    expect(output).toMatch(/SUCCESS: \d+ rules/)
  },
)
