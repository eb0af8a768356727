const known = new Map()

/** The colour that colours.css gives a name now: it differs in the light, in the dark and on paper. */
export function colourOf(name, alpha = 1) {
  if (!known.has(name)) {
    known.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim())
  }
  const hex = known.get(name)
  if (alpha === 1) return hex
  return (
    hex +
    Math.round(alpha * 255)
      .toString(16)
      .padStart(2, '0')
  )
}

/** To be called when the light has changed. */
export function forgetColours() {
  known.clear()
}
