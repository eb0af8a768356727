import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { PAGE_SCRIPT, PAGE_STYLE } from '../../../src/research/report/page-assets.ts'
import { renderReport } from '../../../src/research/report/render-report.ts'
import { sampleReport } from '../../support/sample-report.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test("the image's bundle has what a report is made of, and writes the same report without node_modules", async () => {
  const dist = mkdtempSync(join(tmpdir(), 'mizani-report-dist-'))
  try {
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build.mjs'), '--out', dist])
    expect(readdirSync(join(dist, 'report-page')).sort()).toEqual([PAGE_STYLE, PAGE_SCRIPT].sort())
    await build({
      stdin: {
        contents: "export { renderReport } from './src/research/report/render-report.ts'",
        resolveDir: root,
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(dist, 'report.js'),
      logLevel: 'silent',
    })
    const bundled = (await import(pathToFileURL(join(dist, 'report.js')).href)) as {
      readonly renderReport: typeof renderReport
    }
    const data = sampleReport({ points: 200, fills: 50 })
    expect(bundled.renderReport(data) === renderReport(data)).toBe(true)
  } finally {
    rmSync(dist, { recursive: true })
  }
})
