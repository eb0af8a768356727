import { basename } from 'node:path'
import { err, invariant, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../load/loaded-config.ts'
import { acceptedTexts } from '../load/parse-config.ts'
import { readConfigText } from '../load/config-text.ts'
import { placeProblem } from '../source/merge-data.ts'
import type { ConfigProblem, Finding } from '../source/problem.ts'
import { claimsOf, findConflicts, otherGuard, serverDifference } from './conflicts.ts'
import type { ProcessSettings } from './process-settings.ts'

type File = { readonly file: string; readonly loaded: Result<LoadedConfig, readonly ConfigProblem[]> }

/**
 * Refuses files with the same claim: both are named, and neither is preferred. If one of them is running, it keeps its claim and only the
 * other file is refused. A file that differs in the server or the log of the process is refused as well.
 */
export function refuseConflicts<One extends File>(
  files: readonly One[],
  process: ProcessSettings,
  running: readonly LoadedConfig[],
): readonly One[] {
  const loaded = files.flatMap(({ loaded: one }) => (one.ok ? [one.value] : []))
  const read = new Set(loaded.map(({ file }) => file))
  // A position whose file is missing or invalid runs unchanged until it is removed.
  const claiming = [...loaded, ...running.filter(({ file }) => !read.has(file))]
  const holders = new Map(running.map((config) => [config.file, claimsOf(config)]))
  const refused = new Map<string, Finding[]>()
  const refuse = (file: string, path: readonly string[], message: string) => {
    refused.set(file, [...(refused.get(file) ?? []), { path, at: 'value', message }])
  }
  for (const { path, files: claimants, claim, message } of findConflicts(claiming)) {
    const holder = claimants.find((file) => holders.get(file)?.has(claim) === true)
    for (const file of claimants.filter((one) => one !== holder)) {
      const others = claimants.filter((other) => other !== file).map((other) => basename(other))
      refuse(file, path, `${message} (the same in ${others.join(', ')})`)
    }
  }
  for (const config of loaded) {
    const difference = serverDifference(config, process)
    if (difference !== null) refuse(config.file, [difference], differenceText(difference, process.file))
    // Running positions already renew at their guard.
    const guard = otherGuard(config, [...running, ...loaded])
    if (guard !== null) refuse(config.file, guard.key.split('.'), guardText(guard))
  }
  return files.map((one) => {
    const findings = refused.get(one.file) ?? []
    if (findings.length === 0 || !one.loaded.ok) return one
    return { ...one, loaded: err(placed(findings, one.loaded.value)) }
  })
}

function differenceText(section: 'http' | 'log', file: string): string {
  return `${section} differs from ${basename(file)}; positions of one process share one ${section === 'http' ? 'HTTP server' : 'log'}, so it is best set in defaults.yaml alone`
}

function guardText({ key, file }: { readonly key: string; readonly file: string }): string {
  return `${key} differs from ${basename(file)}; one guard watches all positions of a process, so it is best set in defaults.yaml alone, and a restart takes another one; \`guard: null\` is for a position that it shall not watch`
}

function placed(findings: readonly Finding[], { sources }: LoadedConfig): readonly ConfigProblem[] {
  const texts = acceptedTexts(sources)
  const own = readConfigText(sources.file, texts.file)
  const defaults = sources.defaults === null ? null : readConfigText(sources.defaults, texts.defaults ?? '')
  invariant(own.ok, 'a text that was accepted can be read again')
  const places = [own.value, ...(defaults?.ok === true ? [defaults.value] : [])] as const
  return findings.map((finding) => placeProblem(places, finding))
}
