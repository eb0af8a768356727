import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { manifestSchemas } from '../../support/kubernetes-manifests.ts'
import { startManyKeyVenue } from '../../support/many-key-venue.ts'
import { endDaemons, runDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

const MANIFESTS = fileURLToPath(new URL('../../../deploy/kubernetes-fleet/', import.meta.url))
const HTTP_TOKEN = 'the-token-of-the-operators'
const READ_TOKEN = 'the-token-that-only-reads'

afterEach(endDaemons)

/**
 * A pod's file system under `root`: the paths of the manifests begin there, the port is free and the venue is one of this
 * machine. Nothing else of the shard's files is changed.
 */
function podFiles(root: string, venueUrl: string): (file: string) => string {
  return (file) =>
    readFileSync(join(MANIFESTS, 'shard-0', file), 'utf8')
      .replaceAll('/run/secrets/', `${root}/run/secrets/`)
      .replaceAll('/app/data', `${root}/app/data`)
      .replace('https://venue.example', venueUrl)
      .replace('port: 9464', 'port: 0')
}

/** A ConfigMap's volume as the kubelet makes it: links over one link, which an update replaces at once. */
function mountConfigMap(folder: string, version: string, textOf: (file: string) => string): void {
  const data = join(folder, `..${version}`)
  mkdirSync(data, { recursive: true })
  for (const file of readdirSync(join(MANIFESTS, 'shard-0'))) {
    writeFileSync(join(data, file), textOf(file))
    if (!existsSync(join(folder, file))) symlinkSync(`..data/${file}`, join(folder, file))
  }
  symlinkSync(`..${version}`, join(folder, '..data_tmp'))
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
}

function commandOf(root: string): string[] {
  const schema = manifestSchemas('mizani-fleet').stateful
  const set = schema.parse(parse(readFileSync(join(MANIFESTS, 'stateful-set.yaml'), 'utf8')))
  const [{ args }] = set.spec.template.spec.containers
  return args.map((word) => word.replace('$(SHARD)', '0').replace('/config/', `${root}/config/`))
}

test('a shard runs as its manifests have it: ready in a dry run, reloaded by its ConfigMap, ended by SIGTERM', async () => {
  const root = mkdtempSync(join(tmpdir(), 'mizani-shard-'))
  const venue = await startManyKeyVenue(1)
  const [key = ''] = venue.keys
  try {
    const textOf = podFiles(root, venue.url)
    mountConfigMap(join(root, 'config/0'), 'first', textOf)
    const secrets = {
      'mizani/http_token': HTTP_TOKEN,
      'mizani/http_read_token': READ_TOKEN,
      'keys/desk-0001': key,
    }
    for (const folder of ['mizani', 'keys']) mkdirSync(join(root, 'run/secrets', folder), { recursive: true })
    for (const [file, text] of Object.entries(secrets))
      writeFileSync(join(root, 'run/secrets', file), text, { mode: 0o440 })
    const quotedBefore = structuredClone(venue.modelOf(key).state.ours.bidBps)
    const daemon = runDaemon({ configs: [], command: commandOf(root) })
    await until('the shard is ready', async () => (await daemon.get('/readyz')).status === 200, {
      otherwise: () => daemon.output().slice(-2_000) + daemon.errors(),
    })
    expect((await daemon.get('/healthz')).status).toBe(200)

    // Beyond loopback the metrics need the token of Prometheus, which commands nothing.
    expect((await daemon.get('/metrics')).status).toBe(401)
    const url = await daemon.url()
    const metrics = async () => {
      const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${READ_TOKEN}` } })
      return answer.text()
    }
    await until('the limit of the shard is watched', async () =>
      /^mizani_fleet_limit_usd\{limit="maxLossUsd"\} 5000$/m.test(await metrics()),
    )
    expect((await daemon.post('pause', { position: 'desk-0001', why: 'a try' }, READ_TOKEN)).status).toBe(403)

    mountConfigMap(join(root, 'config/0'), 'second', (file) =>
      textOf(file).replace('halfSpreadBps: 60', 'halfSpreadBps: 70'),
    )
    await until('the change of the ConfigMap is adopted', async () =>
      /^mizani_reloads_total\{outcome="taken",position="desk-0001"\} 1$/m.test(await metrics()),
    )
    expect(venue.modelOf(key).state.ours.bidBps).toBe(quotedBefore)
    expect(venue.requests()).toBeGreaterThan(3)
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(readdirSync(join(root, 'app/data'))).toEqual(['desk-0001'])
  } finally {
    await venue.close()
    rmSync(root, { recursive: true, force: true })
  }
})
