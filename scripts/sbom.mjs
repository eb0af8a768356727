/**
 * What is in the bundle, as a CycloneDX 1.5 document: Node, and every package of the lock file that one of `files` belongs
 * to. It has neither a date nor a number of its own, so that one commit has one document.
 */
export function billOfMaterials({ name, version, license }, { lock, files, nodeVersion }) {
  const paths = files.map((file) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
  const packages = [...new Set(paths)]
    .filter((path) => path !== undefined)
    .map((path) => packageOf(path, lock.packages[path]))
  const node = {
    type: 'platform',
    'bom-ref': `pkg:generic/node@${nodeVersion}`,
    name: 'node',
    version: nodeVersion,
    purl: `pkg:generic/node@${nodeVersion}`,
  }
  const byReference = new Map([...packages, node].map((one) => [one['bom-ref'], one]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': name, name, version, licenses: [{ expression: license }] },
    },
    components: [...byReference.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
  }
}

function packageOf(path, { version, license, integrity }) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope: 'required',
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
  }
}

/** The digest that npm checks the package against. */
function hashOf(integrity) {
  const [algorithm, base64] = integrity.split('-')
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') }
}
