import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { CloseEvidence } from '../../close/document/document.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { createResultReader } from '../../../daemon/runtime/position/result-files.ts'
import { tailName } from '../../../daemon/view/results/risk-text.ts'
import { readKept } from '../../../store/kept-drills.ts'
import { isoText } from '../../../base/text/times.ts'
import { controlsReport } from './controls-report.ts'

/** The SBOM next to the bundle, or in a checkout the lock file of `npm ci`. */
const PACKAGES = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../../package-lock.json' : './sbom.cdx.json',
    import.meta.url,
  ),
)

/**
 * Returns the evidence of a close: digests of configuration and packages, and every control with its last drill. The error
 * names the unreadable file. Needs no secrets in the configuration.
 */
export function evidenceOf(config: LoadedConfig, now: Ms): Result<CloseEvidence, string> {
  const drills = readKept(config.store.path)
  if (!drills.ok) return drills
  let list: Buffer
  try {
    list = readFileSync(PACKAGES)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return err(`${PACKAGES} cannot be read (${code ?? message}); this installation is incomplete`)
  }
  const { use, sourceHash } = config.core.strategy
  const report = controlsReport(config, drills.value, now, { withSecrets: false })
  return ok({
    configurationSha256: report.configSha256,
    strategy: { use, sourceHash },
    packages: { file: basename(PACKAGES), sha256: createHash('sha256').update(list).digest('hex') },
    controls: report.controls.map(({ name, rules, value, lastDrill }) => ({
      name,
      rules: [...rules],
      value,
      lastDrill:
        lastDrill === null
          ? null
          : { name: lastDrill.name, at: isoText(Date.parse(lastDrill.at)), passed: lastDrill.passed },
    })),
    risk: riskOf(config, now),
  })
}

function riskOf(config: LoadedConfig, now: Ms): CloseEvidence['risk'] {
  const { at = null, measured = null } = createResultReader()(config, now).risk ?? {}
  if (at === null || measured === null) return null
  const cents = (value: number) => String(Math.round(value * 100) / 100)
  const losses = measured.tails.map((tail) => ({
    name: tailName(tail),
    usd: cents(tail.usd.es99.value),
    tzs: cents(tail.tzs.es99.value),
  }))
  return { at: isoText(at), isCalibrated: measured.isCalibrated, losses }
}
