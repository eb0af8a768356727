import type { RegisteredView } from './payee-view.ts'

/** A registered name in words, in quotes because it is text from outside, and whether a person has to look at it. */
export function registeredWords(registered: RegisteredView | null): {
  readonly words: string
  readonly isFault: boolean
} {
  if (registered === null) return { words: 'the registered name was not looked up yet', isFault: false }
  const { name, note, at, changedFrom } = registered
  if (changedFrom !== null)
    return {
      words: `now registered as “${name ?? ''}”, before as “${changedFrom}”: confirm the payee before anything is paid`,
      isFault: true,
    }
  if (name === null && at === null) return { words: 'the registered name is being looked up', isFault: true }
  if (name === null) return { words: `the registered name is unknown: ${note ?? ''}`, isFault: true }
  return {
    words: `registered as “${name}”${note === null ? '' : `; ${note}`}`,
    isFault: note !== null,
  }
}
