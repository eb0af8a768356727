const known = new Map<string, string>()

/**
 * Returns the colour (#rrggbb) that the style sheet currently assigns to a name; it differs between light, dark and
 * print. `alpha` from 0 to 1 makes it translucent.
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

/** Clears the cached colours after the colour scheme or the medium changed. */
export function forgetColours(): void {
  known.clear()
}

/** Calls back when the colour scheme changes; returns a function that stops it. */
export function onColourChange(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const listener = () => {
    forgetColours()
    changed()
  }
  dark.addEventListener('change', listener)
  return () => dark.removeEventListener('change', listener)
}
