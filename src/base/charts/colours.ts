const known = new Map<string, string>()

/**
 * The colour (#rrggbb) that the page's style sheet gives a name now: it differs in the light, in the dark and on paper.
 * `alpha` of 0 to 1 makes it translucent.
 */
export function colourOf(name: string, alpha = 1): string {
  let hex = known.get(name)
  if (hex === undefined) {
    hex = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
    known.set(name, hex)
  }
  if (alpha === 1) return hex
  const opacity = Math.round(alpha * 255).toString(16)
  return hex + opacity.padStart(2, '0')
}

/** Forgets the colours read so far: the light, or the medium, has changed. */
export function forgetColours(): void {
  known.clear()
}

/** Calls back when the light changes; returns what ends that. */
export function onColourChange(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const listener = () => {
    forgetColours()
    changed()
  }
  dark.addEventListener('change', listener)
  return () => dark.removeEventListener('change', listener)
}
