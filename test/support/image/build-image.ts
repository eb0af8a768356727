import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBuildah, type Buildah } from './buildah.ts'
import { makeBases } from './make-bases.ts'

/** What a Dockerfile's instructions left for anyone who runs the image. */
export type ImageConfig = {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly StopSignal: string
  readonly Healthcheck: { readonly Test: readonly string[] }
  readonly Volumes: Readonly<Record<string, object>>
  readonly ExposedPorts: Readonly<Record<string, object>>
}

export type BuiltImage = {
  /** Its files, as a folder of this machine. */
  readonly root: string
  /** The files of the base that it was built on. */
  readonly baseRoot: string
  readonly config: ImageConfig
  readonly remove: () => Promise<void>
}

const checkout = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Builds the Dockerfile as it is, with every stage and every instruction. What differs from a build elsewhere: the
 * bases come from this machine, and so do the packages, unless MIZANI_IMAGE_NPM=real asks for a real `npm ci`.
 */
export async function buildImage(): Promise<BuiltImage> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-image-'))
  const buildah = openBuildah(folder)
  try {
    return await buildIn(folder, buildah)
  } catch (thrown) {
    await buildah.remove()
    throw thrown
  }
}

async function buildIn(folder: string, buildah: Buildah): Promise<BuiltImage> {
  const realNpm = process.env['MIZANI_IMAGE_NPM'] === 'real'
  const bases = await makeBases(buildah, join(folder, 'bases'), realNpm)
  const volumes = realNpm ? npmSettings(folder) : [`${join(checkout, 'node_modules')}:/build/node_modules:ro`]
  await buildah.run(
    'bud',
    '--isolation=chroot',
    // The other format knows no HEALTHCHECK.
    '--format=docker',
    `--build-arg=BASE=${bases.build}`,
    `--build-arg=RUNTIME_BASE=${bases.runtime}`,
    ...volumes.map((volume) => `--volume=${volume}`),
    '--tag=localhost/mizani',
    checkout,
  )
  const inspected = JSON.parse(await buildah.run('inspect', '--type=image', 'localhost/mizani')) as {
    readonly Docker: { readonly config: ImageConfig }
  }
  const root = await buildah.run('mount', await buildah.run('from', 'localhost/mizani'))
  const { config } = inspected.Docker
  return { root, baseRoot: join(folder, 'bases/runtime'), config, remove: buildah.remove }
}

/** What npm needs to know of this machine, mounted while the build needs it, and so in no layer. */
function npmSettings(folder: string): readonly string[] {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const certificates = '/etc/ssl/certs'
  const trusted = `${certificates}/ca-certificates.crt`
  const lines = [`registry=${registry}`, ...(existsSync(trusted) ? [`cafile=${trusted}`] : [])]
  const file = join(folder, 'npmrc')
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  return [
    `${file}:/usr/local/etc/npmrc:ro`,
    ...(existsSync(trusted) ? [`${certificates}:${certificates}:ro`] : []),
  ]
}
