import { useEffect, useState } from 'preact/hooks'

/** The browser's monotonic time, anew every `everyMs`: for whatever shows an age. */
export function useTick(everyMs = 500): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
