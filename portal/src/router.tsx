import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from 'react'

interface Location {
  path: string
  search: URLSearchParams
}

const read = (): Location => ({ path: location.pathname, search: new URLSearchParams(location.search) })

const LocationContext = createContext<Location>(read())
const CHANGED = 'assay:navigated'

/** Tells all below which page it is, and again when that changes. */
export function Router({ children }: { children: ReactNode }) {
  const [here, setHere] = useState(read)
  useEffect(() => {
    const update = () => setHere(read())
    addEventListener('popstate', update)
    addEventListener(CHANGED, update)
    return () => {
      removeEventListener('popstate', update)
      removeEventListener(CHANGED, update)
    }
  }, [])
  return <LocationContext value={here}>{children}</LocationContext>
}

export const useLocation = () => useContext(LocationContext)

export function navigate(to: string): void {
  history.pushState(null, '', to)
  dispatchEvent(new Event(CHANGED))
  scrollTo(0, 0)
  // A screen reader hears the new one from its start.
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
}

/** Leads to the analysis of an address. */
export const openReport = (chain: string | number, address: string) => navigate(`/report/${chain}/${address}`)

/** Puts a more exact address into the bar without making it a step of its own. */
export function replaceLocation(to: string): void {
  history.replaceState(null, '', to)
}

export function Link({ href = '/', onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    navigate(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}
