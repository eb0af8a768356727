import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { buildImage } from '../support/image/build-image.ts'
import { imageSurroundings } from '../support/image/buildah.ts'
import { contain } from '../support/image/contain.ts'
import { needs } from '../support/needs.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))

test.skipIf(needs('buildah', imageSurroundings()) || needs('ssh-keygen') || needs('openssl'))(
  'the Dockerfile builds an image whose program has the version that package.json, compose.yaml and the manifests name',
  async () => {
    const image = await buildImage()
    onTestFinished(image.remove)
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
      version: string
    }
    const run = contain(image, [...image.config.Entrypoint, '--version'])
    expect([await run.exited, run.output().trim()]).toEqual([0, version])
    expect(readFileSync(join(checkout, 'compose.yaml'), 'utf8')).toContain(`image: mizani:${version}\n`)
    const manifests = readFileSync(join(checkout, 'deploy/kubernetes/kustomization.yaml'), 'utf8')
    expect(manifests).toContain(`newTag: ${version}`)
  },
  300_000,
)
