import { join } from 'node:path'
import { expect } from 'vitest'

/** Compares a text with test/golden/NAME.txt, which `npx vitest run --update` writes. */
export async function expectGolden(name: string, text: string): Promise<void> {
  await expect(`${text}\n`).toMatchFileSnapshot(join(import.meta.dirname, '../golden', `${name}.txt`))
}

/** Returns a value as JSON of several lines, in which bigints end in `n`. */
export function goldenJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one), 2)
}
