import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { freePort } from '../../support/free-port.ts'
import { until } from '../daemon/until.ts'

export type Sample = { readonly metric: Readonly<Record<string, string>>; readonly value: [number, string] }

export type FiringAlert = {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly state: 'pending' | 'firing'
}

export type RunningPrometheus = {
  readonly url: string
  /** An instant query; a scalar comes as one sample without labels. Throws where Prometheus refuses it. */
  readonly query: (expr: string) => Promise<readonly Sample[]>
  readonly alerts: () => Promise<readonly FiringAlert[]>
  readonly close: () => Promise<void>
}

/** A real Prometheus of its own that scrapes one daemon every second and evaluates one file of rules. */
export async function runPrometheus(daemonUrl: string, rulesText: string): Promise<RunningPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const port = await freePort()
  writeFileSync(join(folder, 'rules.yaml'), rulesText)
  const settings = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'rules.yaml')],
    scrape_configs: [{ job_name: 'mizani', static_configs: [{ targets: [new URL(daemonUrl).host] }] }],
  }
  writeFileSync(join(folder, 'prometheus.yaml'), stringify(settings))
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const said: string[] = []
  child.stderr.on('data', (data: Buffer) => said.push(data.toString()))
  const url = `http://127.0.0.1:${port}`
  await until('Prometheus is ready', () => isReady(url, child, said))
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}/api/v1/${path}`)
    const { status, data, error } = (await answer.json()) as Record<'status' | 'data' | 'error', unknown>
    if (status !== 'success') throw new Error(`${path}: ${String(error)}`)
    return data
  }
  return {
    url,
    async query(expr) {
      const { resultType, result } = (await get(`query?query=${encodeURIComponent(expr)}`)) as {
        readonly resultType: string
        readonly result: unknown
      }
      if (resultType === 'scalar') return [{ metric: {}, value: result as Sample['value'] }]
      return result as readonly Sample[]
    },
    alerts: async () => ((await get('alerts')) as { readonly alerts: readonly FiringAlert[] }).alerts,
    async close() {
      const gone = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isReady(url: string, child: ChildProcess, said: readonly string[]): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}: ${said.join('')}`)
  const answer = await fetch(`${url}/-/ready`).catch(() => null)
  return answer?.status === 200
}
