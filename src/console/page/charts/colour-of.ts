/** The colour that the style sheet gives a name now: it differs in the light and in the dark. */
export function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

/** Calls back when the light changes; gives what ends that. */
export function onColourChange(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', changed)
  return () => dark.removeEventListener('change', changed)
}
