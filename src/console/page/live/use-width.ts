import { useLayoutEffect, useState } from 'preact/hooks'

/** The width of an element in CSS pixels, kept up to date; give `ref` to the element. */
export function useWidth(): { readonly ref: (element: HTMLElement | null) => void; readonly width: number } {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (element === null) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return { ref: setElement, width }
}
