import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result } from '../../base/result.ts'
import { bundleKit, readSources } from './bundle-strategy.ts'
import { rememberedScript } from './script-cache.ts'

const IS_CHECKOUT = import.meta.url.endsWith('.ts')

let made: Promise<string> | null = null

/** Returns the script of the kit, which each compartment evaluates separately: prebuilt, or bundled in a checkout. */
export function kitScript(): Promise<string> {
  made ??= IS_CHECKOUT
    ? fromCheckout()
    : Promise.resolve(readFileSync(new URL('./kit-script.js', import.meta.url), 'utf8'))
  return made
}

const ENTRY = fileURLToPath(new URL('../../core/strategy/kit.ts', import.meta.url))

/** Bundles the kit of a checkout. */
export async function buildKit(): Promise<string> {
  return orThrow(await bundleKit(ENTRY))
}

async function fromCheckout(): Promise<string> {
  const sources = readSources(ENTRY)
  if (!sources.ok) throw new Error(`the sources of the kit cannot be read: ${sources.error}`)
  const origin = { kind: 'kit' as const, entry: 'kit.ts', sources: sources.value }
  return orThrow(await rememberedScript(origin, () => bundleKit(ENTRY)))
}

function orThrow(script: Result<string, string>): string {
  if (!script.ok) throw new Error(`the kit cannot be bundled: ${script.error}`)
  return script.value
}
