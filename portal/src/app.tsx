import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { ChainsProvider } from './chains.js'
import { AnalysePage } from './pages/analyse.js'
import { Header } from './parts/header.js'
import { Link, Router, useLocation } from './router.js'
import { SessionProvider } from './session.js'

// What most visitors never open is not what they wait for.
const KeysPage = lazy(() => import('./pages/keys.js').then(({ KeysPage: page }) => ({ default: page })))
const ConsentPage = lazy(() => import('./pages/consent.js').then(({ ConsentPage: page }) => ({ default: page })))
const ReportPage = lazy(() => import('./pages/report.js').then(({ ReportPage: page }) => ({ default: page })))
const SavedReportPage = lazy(() =>
  import('./pages/saved-report.js').then(({ SavedReportPage: page }) => ({ default: page })),
)
const ReportsPage = lazy(() => import('./pages/reports.js').then(({ ReportsPage: page }) => ({ default: page })))
const WebhooksPage = lazy(() => import('./pages/webhooks.js').then(({ WebhooksPage: page }) => ({ default: page })))
const WatchesPage = lazy(() => import('./pages/watches.js').then(({ WatchesPage: page }) => ({ default: page })))
const FeedPage = lazy(() => import('./pages/feed.js').then(({ FeedPage: page }) => ({ default: page })))
const RecordPage = lazy(() => import('./pages/record.js').then(({ RecordPage: page }) => ({ default: page })))
const NotFoundPage = lazy(() => import('./pages/not-found.js').then(({ NotFoundPage: page }) => ({ default: page })))
const ReferencePage = lazy(() => import('./pages/reference.js').then(({ ReferencePage: page }) => ({ default: page })))

export function App() {
  return (
    <Router>
      <SessionProvider>
        <ChainsProvider>
          <a className="skip" href="#main">
            Skip to content
          </a>
          <Header />
          <main id="main" tabIndex={-1}>
            <Suspense fallback={<p className="page quiet">Loading …</p>}>
              <Page />
            </Suspense>
          </main>
          <Footer />
        </ChainsProvider>
      </SessionProvider>
    </Router>
  )
}

function Page() {
  const { path, search } = useLocation()
  const report = /^\/report\/(\w+)\/(\w+)$/.exec(path)
  const page = choosePage(path, search, report)
  useEffect(() => {
    document.title = `${page.title} · Assay`
  }, [page.title])
  return page.content
}

function choosePage(
  path: string,
  search: URLSearchParams,
  report: RegExpExecArray | null,
): { title: string; content: ReactNode } {
  if (path === '/') return { title: 'Is this token safe to touch?', content: <AnalysePage /> }
  if (path === '/wallet') return { title: 'Is this request safe to confirm?', content: <ConsentPage /> }
  if (path === '/keys') return { title: 'API keys', content: <KeysPage /> }
  if (path === '/reports') return { title: 'Your reports', content: <ReportsPage /> }
  if (path === '/watches') return { title: 'Watches', content: <WatchesPage /> }
  if (path === '/feed') return { title: 'New markets', content: <FeedPage /> }
  if (path === '/record') return { title: 'Record', content: <RecordPage /> }
  if (path === '/webhooks') return { title: 'Webhooks', content: <WebhooksPage /> }
  if (path === '/reference') return { title: 'API reference', content: <ReferencePage /> }
  const saved = /^\/r\/(r_[0-9A-Za-z]{17})$/.exec(path)?.[1]
  if (saved !== undefined) return { title: 'Report', content: <SavedReportPage key={path} id={saved} /> }
  if (report) {
    const [, chain = '', address = ''] = report
    const block = /^\d{1,15}$/.exec(search.get('block') ?? '')?.[0]
    const target = { chain, address, ...(block !== undefined && { blockNumber: Number(block) }) }
    return { title: `Report on ${address.slice(0, 10)}…`, content: <ReportPage key={path} target={target} /> }
  }
  return { title: 'Not found', content: <NotFoundPage /> }
}

function Footer() {
  return (
    <footer className="footer">
      <p>
        Every figure here comes from a trade that was run, code that was read or a transfer that was counted, at one
        block. None of it is advice.
      </p>
      <p>
        <Link href="/record">How right it was</Link> · <Link href="/reference">API reference</Link> ·{' '}
        <a href="/openapi.json">openapi.json</a>
      </p>
    </footer>
  )
}
