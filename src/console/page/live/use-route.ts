import { useEffect, useState } from 'preact/hooks'

/** The position that the address names after '#/'; null = none. */
export function useRoute(): string | null {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = () => setHash(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return nameIn(hash)
}

/** The address of a position's page. */
export function routeTo(position: string): string {
  return `#/${encodeURIComponent(position)}`
}

function nameIn(hash: string): string | null {
  if (!hash.startsWith('#/') || hash === '#/') return null
  try {
    return decodeURIComponent(hash.slice(2))
  } catch {
    return null
  }
}
